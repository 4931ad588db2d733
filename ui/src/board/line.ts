// A line of moves as arrows. The texts name the squares, except in dropping games, where stones are counted.

import type { Piece } from "../api/types";
import type { Arrow } from "./Arrows.svelte";
import type { Layout } from "./layout";

export function arrowsOf(line: string[], layout: Layout, pieces: Piece[], most = 4): Arrow[] {
  const taken = new Set(pieces.map((piece) => piece.square));
  const arrows: Arrow[] = [];
  for (const text of line.slice(0, most)) {
    if (layout.kind === "drop") {
      const open = layout.squares.filter((square) => square.column === Number(text) - 1 && !taken.has(square.name));
      const landing = open.sort((a, b) => b.row - a.row)[0];
      if (!landing) break;
      taken.add(landing.name);
      arrows.push({ from: null, to: landing.name, order: arrows.length });
    } else {
      const path = text.split(/[-x:]/);
      if (path.length < 2 || !path.every((name) => layout.byName.has(name))) break;
      arrows.push({ from: path[0]!, to: path.at(-1)!, order: arrows.length, path });
    }
  }
  return arrows;
}
