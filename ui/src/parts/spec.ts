// A player's text taken apart and put together: `pvs:depth=6,eval=mia4`, `mcts:rollout=(greedy:eval=zero)`.

export interface Spec {
  name: string;
  values: Record<string, string>;
}

/** Splits at commas that lie outside round brackets. */
function parts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth++;
    else if (text[index] === ")") depth--;
    else if (text[index] === "," && depth === 0) {
      found.push(text.slice(from, index));
      from = index + 1;
    }
  }
  found.push(text.slice(from));
  return found.filter((part) => part.length > 0);
}

export function parseSpec(text: string): Spec {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const values: Record<string, string> = {};
  if (colon >= 0) {
    for (const part of parts(text.slice(colon + 1))) {
      const equals = part.indexOf("=");
      if (equals > 0) values[part.slice(0, equals)] = part.slice(equals + 1);
    }
  }
  return { name: name.trim(), values };
}

export function writeSpec(spec: Spec): string {
  const given = Object.entries(spec.values).filter(([, value]) => value !== "");
  return given.length === 0 ? spec.name : `${spec.name}:${given.map(([name, value]) => `${name}=${value}`).join(",")}`;
}

/** A player's text for people: names of files by their content are as short as people tell them apart. */
export function shortened(text: string): string {
  return text.replace(/\b(b3-[0-9a-f]{8})[0-9a-f]{56}\b/g, "$1…");
}
