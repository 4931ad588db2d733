// A match or tournament as the text of an experiment: what the arena asks the laboratory to run.

export interface Entrant {
  name: string;
  player: string;
}

export interface Contest {
  kind: "match" | "tournament";
  title: string;
  game: string;
  rules: string;
  seed: number;
  entrants: Entrant[];
  pairs: number;
  format: string;
  limit: string;
  /** `book`, or a number of random plies. */
  openings: "book" | number;
  /** The two Elo differences that a sequential test decides between; null for none. */
  sprt: [number, number] | null;
}

// JSON's strings are TOML's basic strings.
const quoted = (text: string) => JSON.stringify(text);

export function compose(contest: Contest): string {
  const lines = [`title = ${quoted(contest.title)}`, `game = ${quoted(contest.game)}`];
  if (contest.rules) lines.push(`rules = ${quoted(contest.rules)}`);
  lines.push(`seed = ${contest.seed}`, "", "[openings]");
  lines.push(contest.openings === "book" ? "book = true" : `random-plies = ${contest.openings}`, "");
  if (contest.kind === "match") {
    const [a, b] = contest.entrants;
    lines.push("[match]", `a = ${quoted(a?.player ?? "")}`, `b = ${quoted(b?.player ?? "")}`, `pairs = ${contest.pairs}`);
    if (contest.limit) lines.push(`limit-a = ${quoted(contest.limit)}`, `limit-b = ${quoted(contest.limit)}`);
    if (contest.sprt) lines.push(`sprt = [${contest.sprt.join(", ")}]`);
  } else {
    lines.push("[tournament]", `format = ${quoted(contest.format)}`, `pairs = ${contest.pairs}`);
    for (const entrant of contest.entrants) {
      lines.push("", "[[tournament.players]]");
      if (entrant.name) lines.push(`name = ${quoted(entrant.name)}`);
      lines.push(`player = ${quoted(entrant.player)}`);
      if (contest.limit) lines.push(`limit = ${quoted(contest.limit)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
