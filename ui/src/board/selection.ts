// What a click or key on a square means, given the legal moves and what was chosen so far. Draughts captures are chosen jump
// by jump: `path` holds the squares touched so far.

import type { Move } from "../api/types";
import type { Layout } from "./layout";

export interface Step {
  square: string;
  captures: boolean;
  /** The move that is complete when this square is chosen. */
  move: Move | null;
  /** More jumps lie between here and there. */
  far: boolean;
}

function begins(move: Move, path: string[]): boolean {
  return path.every((square, index) => move.path[index] === square);
}

/** Moves that begin with the squares chosen so far. */
export function continuing(moves: Move[], path: string[]): Move[] {
  return path.length === 0 ? [] : moves.filter((move) => begins(move, path));
}

/** The squares that may be chosen next. A square that ends exactly one move may be chosen at once. */
export function steps(moves: Move[], path: string[]): Step[] {
  const open = continuing(moves, path);
  const found = new Map<string, Step>();
  for (const move of open) {
    const square = move.path[path.length];
    if (square === undefined) continue;
    const done = move.path.length === path.length + 1;
    const known = found.get(square);
    if (!known || done) found.set(square, { square, captures: move.captured.length > 0, move: done ? move : null, far: false });
  }
  for (const move of open) {
    if (!move.to || found.has(move.to) || open.filter((other) => other.to === move.to).length > 1) continue;
    found.set(move.to, { square: move.to, captures: true, move, far: true });
  }
  return [...found.values()];
}

/** The squares jumped over by what was chosen so far: each lies in the middle between two squares of the path. */
export function takenSoFar(layout: Layout, path: string[]): string[] {
  return path.slice(1).flatMap((name, index) => {
    const a = layout.byName.get(path[index]!);
    const b = layout.byName.get(name);
    const over = layout.squares.find((square) => a && b && square.column * 2 === a.column + b.column && square.row * 2 === a.row + b.row);
    return over ? [over.name] : [];
  });
}
