// Words for people about runs.

import type { RunStatus } from "../api/types";

export const STATUS: Record<RunStatus, { word: string; tone: string; about: string }> = {
  running: { word: "running", tone: "accent", about: "It runs." },
  queued: { word: "waiting", tone: "", about: "It waits for the runs before it." },
  resumable: { word: "resumable", tone: "bad", about: "It was broken off and can go on, to the same result." },
  finished: { word: "finished", tone: "good", about: "It is done." },
};

/** Whether something will still happen in a run by itself. */
export function goesOn(status: RunStatus): boolean {
  return status === "running" || status === "queued";
}

export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return "unknown";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} days`;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** So many of something that is told in the plural: one of them is not. */
export function counted(value: number, things: string): string {
  return `${count(value)} ${value === 1 ? things.replace(/s$/, "") : things}`;
}

/** A figure with as many digits as people read. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2);
  return Number(value.toFixed(size >= 1000 ? 0 : size >= 10 ? 2 : 4)).toLocaleString("en", { maximumFractionDigits: 4 });
}
