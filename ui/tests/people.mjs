// What a person does at the board: looks at the legal moves and clicks the squares of one.
import { eventually } from "./stage.mjs";

/** The id of the game that the page shows. */
export function gameId(page) {
  return /#\/play\/([0-9a-z]+)/.exec(page.url())?.[1];
}

/** The game as the server sees it. */
export async function state(page) {
  const reply = await page.request.get(`${new URL(page.url()).origin}/api/sessions/${gameId(page)}`);
  return reply.json();
}

/** Begins a game by the server's interface and opens its table. */
export async function sitDown(page, request) {
  const origin = new URL(page.url()).origin;
  const reply = await page.request.post(`${origin}/api/sessions`, { data: request, headers: { origin } });
  const session = await reply.json();
  if (!session.id) throw new Error(`no game: ${JSON.stringify(session)}`);
  await page.goto(`${origin}/#/play/${session.id}`);
  await page.getByTestId("status").waitFor();
  return session;
}

export function square(page, name) {
  return page.locator(`.squares [data-square="${name}"]`);
}

/** Clicks a move on the board, a square at a time. */
export async function click(page, move) {
  if (!move.to) return page.getByRole("button", { name: "Pass" }).click();
  if (move.from === null || move.from === undefined) return square(page, move.text).click();
  for (const name of move.path) await square(page, name).click();
}

/** Plays a game to its end, as a person without a plan would. */
export async function playToTheEnd(page, choose = (moves) => moves[0]) {
  for (;;) {
    const now = await eventually("the person's turn", async () => {
      const seen = await state(page);
      return seen.position.outcome || !seen.is_thinking ? seen : null;
    });
    if (now.position.outcome) return now;
    // The page must show what the server knows before anybody can click on it.
    await page.locator(".side.current .tag.accent").waitFor();
    await click(page, choose(now.position.moves, now));
    await eventually("the move", async () => (await state(page)).revision > now.revision);
  }
}
