// A study as somebody has changed it, kept in this tab until it is run: a click on a link or a reload loses nothing.

const keyOf = (name: string) => `lanista-draft-${name}`;

export function readDraft(name: string): string | null {
  return sessionStorage.getItem(keyOf(name));
}

/** Keeps a text; one that is the same as the original is no draft. */
export function keepDraft(name: string, text: string, original: string): void {
  if (text === original) dropDraft(name);
  else sessionStorage.setItem(keyOf(name), text);
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}
