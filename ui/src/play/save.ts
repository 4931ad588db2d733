// A game under way as a file of the game's own formats.

import { Refusal } from "../api/client";
import type { SessionView } from "../api/types";

export async function save(view: SessionView, format: string): Promise<void> {
  const tags = [["Black", view.players[0] ?? ""], ["White", view.players[1] ?? ""]];
  const reply = await fetch("/api/game-files/write", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ game: view.game, rules: view.rules, start: view.start, moves: view.moves, format, tags }),
  });
  if (!reply.ok) throw new Refusal(((await reply.json()) as { error: string }).error, reply.status);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = /filename="([^"]+)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1] ?? "game.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}
