// Makes the pictures of the README and the guide from a real server, a real run and real games.
//
//   npm run screenshots        (LANISTA names the program; ../target/release/lanista otherwise)
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const release = fileURLToPath(new URL("../../target/release/lanista", import.meta.url));
if (existsSync(release)) process.env.LANISTA ??= release;
const { eventually, stage } = await import("../tests/stage.mjs");
const { begin, finished, SLOW_MATCH } = await import("../tests/runs.mjs");
const { click, sitDown, square, state } = await import("../tests/people.mjs");

const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
mkdirSync(folder, { recursive: true });
const DESKTOP = { width: 1180, height: 800 };

const scene = await stage();
try {
  const learning = (await (await fetch(`${scene.url}/api/experiments`)).json()).find((entry) => /quickstart/i.test(entry.title));
  const evolution = await begin(scene, learning.text.replace("generations = 200", "generations = 60").replace("population = 193", "population = 40"));
  await finished(scene, evolution, 900_000);
  const contest = await begin(
    scene,
    'title = "What two plies are worth"\ngame = "loa6"\nseed = 3\n\n[tournament]\npairs = 12\n\n[[tournament.players]]\nname = "four plies"\nplayer = "pvs:depth=4"\n\n[[tournament.players]]\nname = "two plies"\nplayer = "pvs:depth=2"\n\n[[tournament.players]]\nname = "greedy"\nplayer = "greedy"\n',
  );
  await finished(scene, contest, 900_000);

  const picture = async (page, name, ready) => {
    await ready?.();
    await page.mouse.move(0, 0);
    if (!name.startsWith("weights")) await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${folder}${name}.png` });
    console.log(`${name}.png`);
  };
  const open = (theme, viewport = DESKTOP) => scene.page("/", { colorScheme: theme, viewport });

  for (const theme of ["light", "dark"]) {
    const page = await open(theme);
    await page.getByRole("region", { name: "Connect Four" }).getByRole("img").waitFor();
    await picture(page, `play-${theme}`);
    await page.context().close();
  }

  {
    const page = await open("dark");
    await sitDown(page, { game: "loa", players: ["human", "pvs:depth=5"], seed: 4 });
    for (let turn = 0; turn < 5; turn++) {
      const now = await eventually("the turn", async () => {
        const seen = await state(page);
        return seen.is_thinking ? null : seen;
      });
      const hint = await (await page.request.post(`${scene.url}/api/sessions/${now.id}/hint`, { data: {}, headers: { origin: scene.url } })).json();
      await click(page, now.position.moves.find((move) => move.text === hint.move));
      await eventually("the answer", async () => (await state(page)).moves.length === 2 * turn + 2);
    }
    await page.getByRole("button", { name: "Evaluate every move" }).click();
    await eventually("the graph", async () => page.getByRole("button", { name: "Evaluate every move" }).isEnabled());
    await page.getByLabel("Live analysis").check();
    await picture(page, "loa-dark", () => page.locator(".arrow").nth(2).waitFor({ state: "attached" }));
    await page.context().close();
  }

  {
    const page = await open("light");
    await sitDown(page, { game: "draughts", start: "B:W14,15,22,23,27,31,K30:B6,7,9,10,12,K3", players: ["human", "pvs:depth=4"] });
    await square(page, "10").click();
    await picture(page, "draughts-light");
    await page.context().close();
  }

  {
    const page = await open("light");
    await sitDown(page, { game: "loa", players: ["human", "human"] });
    await square(page, "b1").click();
    await picture(page, "loa-lines-light", () => page.locator(".closed").first().waitFor({ state: "attached" }));
    await page.context().close();
  }

  {
    const page = await open("light", { width: 390, height: 844 });
    await sitDown(page, { game: "connect-four", players: ["human", "pvs:depth=6"], seed: 2 });
    for (const column of ["4", "4", "3"]) {
      const before = (await state(page)).moves.length;
      await square(page, column).click();
      await eventually("the answer", async () => (await state(page)).moves.length === before + 2);
    }
    await page.getByLabel("Exact values").check();
    await picture(page, "connect-four-phone", () => page.locator("text.note").nth(4).waitFor({ state: "attached" }));
    await page.context().close();
  }

  {
    const page = await open("light");
    await page.goto(`${scene.url}/#/games?run=${contest}`);
    await page.getByRole("row").nth(2).getByRole("link").first().click();
    await page.getByRole("button", { name: "Move forward" }).waitFor();
    for (let step = 0; step < 9; step++) await page.getByRole("button", { name: "Move forward" }).click();
    await picture(page, "games-light");

    await page.goto(`${scene.url}/#/arena/${contest}`);
    await picture(page, "arena-light", () => page.getByRole("region", { name: "Boards" }).waitFor());

    await page.goto(`${scene.url}/#/experiments`);
    await picture(page, "experiments-light", () => page.getByText(learning.title).first().waitFor());

    await page.goto(`${scene.url}/#/run/${evolution}`);
    await picture(page, "run-light", () => page.locator(".uplot").first().waitFor());
    await page.locator("#generations").scrollIntoViewIfNeeded();
    await picture(page, "weights-light", () => page.locator("figure svg").first().waitFor());
    const slow = await begin(scene, SLOW_MATCH);
    await page.goto(`${scene.url}/#/arena/${slow}`);
    await picture(page, "arena-live-light", () => page.getByText(/move 1\d: /).first().waitFor());
    await page.context().close();
  }
} finally {
  await scene.end();
}
