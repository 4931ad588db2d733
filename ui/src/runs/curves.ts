// Curves of runs as charts: one chart a figure, one line for each thing that it was measured of.

import type { Curve, PublishedView } from "../api/types";
import type { Range, ReferenceLine, Series } from "../parts/Chart.svelte";

export interface ChartOfFigure {
  name: string;
  series: Series[];
  references: ReferenceLine[];
  /** Lines that were left out because nobody could tell them apart. */
  left: number;
}

const MOST_LINES = 8;
const MOST_REFERENCES = 3;

export function lineName(curve: Curve, prefix = ""): string {
  const replicate = curve.replicate > 0 ? `replicate ${curve.replicate + 1}` : "";
  return [prefix, curve.of, curve.setting, replicate].filter(Boolean).join(", ") || curve.name;
}

/** What to ask for to see a part of the axis: the generations in it, and one beside each end so that lines reach the edge. */
export function within(range: Range | null): { from?: number; to?: number } {
  return range ? { from: Math.max(0, Math.floor(range.from) - 1), to: Math.ceil(range.to) + 1 } : {};
}

export function charts(curves: { curve: Curve; prefix?: string }[], published: PublishedView[]): ChartOfFigure[] {
  const groups = Map.groupBy(curves, (entry) => entry.curve.name);
  return [...groups].map(([name, members]) => {
    const shown = members.slice(0, MOST_LINES);
    const own = published.filter((figure) => figure.name === name);
    // A figure of the same thing first; otherwise what was published of the champion.
    const near = own.filter((figure) => shown.some((entry) => entry.curve.of === figure.of));
    const references = (near.length > 0 ? near : own).slice(0, MOST_REFERENCES);
    return {
      name,
      series: shown.map(({ curve, prefix }) => ({
        name: lineName(curve, prefix),
        points: curve.x.map((x, index) => ({ x, y: curve.y[index]! })),
      })),
      references: references.map((figure) => ({ name: `${figure.source} (published)`, value: figure.value })),
      left: members.length - shown.length,
    };
  });
}
