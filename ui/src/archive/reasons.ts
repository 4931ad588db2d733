// Why games ended, in words for people.

const WORDS: Record<string, string> = {
  board: "on the board",
  repetition: "by repetition",
  "no-progress": "without progress",
  "ply-cap": "at the longest length",
  resignation: "by resignation",
  agreement: "by agreement",
  forfeit: "by forfeit",
};

export function endedHow(reason: string): string {
  return WORDS[reason] ?? reason;
}
