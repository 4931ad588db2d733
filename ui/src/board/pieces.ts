// Keeps track of which piece is which from one position to the next, so that pieces travel instead of blinking.

import type { Piece } from "../api/types";

export interface Tracked extends Piece {
  id: number;
}

let next = 1;

function same(a: Piece, b: Piece): boolean {
  return a.square === b.square && a.side === b.side;
}

/** The pieces of the new position with the identities of the old one where a piece stayed or moved. */
export function follow(old: Tracked[], pieces: Piece[], moved: { from?: string | null; to?: string | null } | null): Tracked[] {
  const free = [...old];
  const take = (fits: (piece: Tracked) => boolean): number | undefined => {
    const index = free.findIndex(fits);
    return index < 0 ? undefined : free.splice(index, 1)[0]?.id;
  };
  const result: Tracked[] = [];
  const open: Piece[] = [];
  for (const piece of pieces) {
    const id = take((other) => same(other, piece));
    if (id === undefined) open.push(piece);
    else result.push({ ...piece, id });
  }
  const alone = (side: number) => open.filter((other) => other.side === side).length === 1 && free.filter((other) => other.side === side).length === 1;
  for (const piece of open) {
    // Forwards the move says who came from where; backwards it is the one piece of that side that is left.
    const from = moved && piece.square === moved.to ? moved.from : undefined;
    const id = take((other) => other.side === piece.side && other.square === from) ?? (alone(piece.side) ? take((other) => other.side === piece.side) : undefined) ?? next++;
    result.push({ ...piece, id });
  }
  // A stable order keeps elements where they are in the document, which keeps their animations going.
  return result.sort((a, b) => a.id - b.id);
}
