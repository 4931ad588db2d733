// The games and players that the server knows, asked for once.

import { api, take } from "./api/client";
import type { GameInfo, PlayersAnswer } from "./api/types";

class Catalogue {
  games = $state.raw<GameInfo[]>([]);
  private loading: Promise<GameInfo[]> | null = null;
  private players = new Map<string, Promise<PlayersAnswer>>();

  load(): Promise<GameInfo[]> {
    this.loading ??= take(api.GET("/api/games")).then(
      (games) => (this.games = games),
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  game(id: string): GameInfo | undefined {
    return this.games.find((game) => game.id === id);
  }

  playersOf(game: string): Promise<PlayersAnswer> {
    let answer = this.players.get(game);
    if (!answer) {
      answer = take(api.GET("/api/players", { params: { query: { game } } }));
      answer.catch(() => this.players.delete(game));
      this.players.set(game, answer);
    }
    return answer;
  }
}

export const catalogue = new Catalogue();
