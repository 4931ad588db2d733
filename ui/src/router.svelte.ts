// Pages by the part of the address behind `#`: `#/run/7?trial=2` is page `run`, rest `["7"]`, query `trial=2`.

export interface Route {
  page: string;
  rest: string[];
  query: URLSearchParams;
}

/** People type addresses, too: what cannot be decoded stays as it is, and leads to no page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...rest] = path.split("/").map(decoded);
  return { page: page || "play", rest, query: new URLSearchParams(query) };
}

class Router {
  route = $state.raw<Route>(parse(location.hash));

  constructor() {
    addEventListener("hashchange", () => {
      this.route = parse(location.hash);
    });
  }
}

export const router = new Router();

export function address(page: string, rest: (string | number)[] = [], query: Record<string, string | undefined> = {}): string {
  const known = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const tail = known.length > 0 ? `?${new URLSearchParams(known)}` : "";
  return `#/${[page, ...rest].map(encodeURIComponent).join("/")}${tail}`;
}

export function go(to: string) {
  location.hash = to;
}

/** Changes the address without a new entry in the browser's history and without leaving the page. */
export function replace(to: string) {
  history.replaceState(null, "", to);
  router.route = parse(to);
}
