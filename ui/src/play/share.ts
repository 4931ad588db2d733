// Scores as shares of a bar: −1 when the second side wins, 1 when the first does.

import type { Score } from "../api/types";

export function shareOf(score: Score | null | undefined): number | null {
  if (!score) return null;
  if (score.kind === "win") return 1;
  if (score.kind === "loss") return -1;
  if (score.kind === "draw") return 0;
  // Evaluators have different units; this bends all of them into the bar without ever calling an estimate a win.
  return (Math.atan(score.value / 4) / Math.PI) * 1.9;
}
