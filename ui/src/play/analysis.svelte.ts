// A player that thinks about the position on the board until the page looks elsewhere.

import { follow } from "../api/stream";
import type { AnalysisEvent, Thinking } from "../api/types";

export interface Question {
  game: string;
  rules: string;
  start: string | null | undefined;
  moves: string[];
  player?: string;
}

export class Analysis {
  thinking = $state.raw<Thinking | null>(null);
  failure = $state<string | null>(null);
  private leave: (() => void) | null = null;

  ask(question: Question) {
    this.stop();
    const query = new URLSearchParams({ game: question.game, rules: question.rules, moves: question.moves.join(",") });
    if (question.start) query.set("start", question.start);
    if (question.player) query.set("player", question.player);
    this.leave = follow<AnalysisEvent>(
      `/api/analysis?${query}`,
      (event) => {
        if (event.type === "thinking") {
          this.thinking = event.thinking;
          // The stream ends with the decision; without this the browser would ask again.
          if (event.thinking.done) this.leave?.();
        } else if (event.type === "failed") {
          this.failure = event.error;
          this.leave?.();
        }
      },
      (isLost) => {
        if (!isLost) return;
        this.leave?.();
        if (!this.thinking) this.failure = "The analysis could not begin: too many are running, or the server is gone. Try again in a moment.";
      },
    );
  }

  stop() {
    this.leave?.();
    this.leave = null;
    this.thinking = null;
    this.failure = null;
  }
}
