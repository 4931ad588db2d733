// Where the squares of a board lie, as the server describes it; rows are counted from the top.

import type { BoardInfo } from "../api/types";

export interface Square {
  name: string;
  column: number;
  row: number;
}

export interface Layout {
  kind: "lines" | "draughts" | "drop";
  columns: number;
  rows: number;
  squares: Square[];
  byName: Map<string, Square>;
}

/** One square is this many units of the drawing wide. */
export const CELL = 100;

const KINDS = { squares: "lines", dark_squares: "draughts", columns: "drop" } as const;

export function layoutOf(board: BoardInfo): Layout {
  const squares = board.squares.flatMap((names, row) =>
    names.flatMap((name, column) => (name ? [{ name, column, row }] : [])),
  );
  return {
    kind: KINDS[board.shape],
    columns: board.columns,
    rows: board.rows,
    squares,
    byName: new Map(squares.map((square) => [square.name, square])),
  };
}

/** The middle of a square in the drawing, with the board turned if asked. Dropping games are never turned. */
export function centre(layout: Layout, square: Square, flipped: boolean): { x: number; y: number } {
  const turned = flipped && layout.kind !== "drop";
  const column = turned ? layout.columns - 1 - square.column : square.column;
  const row = turned ? layout.rows - 1 - square.row : square.row;
  return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
}
