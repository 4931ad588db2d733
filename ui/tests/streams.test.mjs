// A browser allows six connections to a server, all tabs together: pages keep none that they do not need.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sitDown, square, state } from "./people.mjs";
import { begin, finished, MATCH, SLOW_MATCH } from "./runs.mjs";
import { eventually, stage } from "./stage.mjs";

let scene;
before(async () => (scene = await stage()));
after(async () => {
  await scene.end();
  assert.deepEqual(scene.complaints, []);
});

/** Loads a page again with an eye on its streams. */
async function watchStreams(page) {
  await page.addInitScript(() => {
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
      constructor(address) {
        super(address);
        globalThis.streams.push(this);
      }
    };
  });
  await page.reload();
}

/** The last parts of the addresses that the page follows. */
function followed(page) {
  return page.evaluate(() =>
    globalThis.streams
      .filter((stream) => stream.readyState !== EventSource.CLOSED)
      .map((stream) => new URL(stream.url).pathname.split("/").at(-1))
      .sort()
      .join(" "),
  );
}

const follows = (page, what) => eventually(`streams "${what}"`, async () => (await followed(page)) === what);

/** Another tab comes before the page, or goes away again. */
function hide(page, isHidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

test("a finished run is followed no longer", async () => {
  const run = await finished(scene, await begin(scene, MATCH(2)));
  const page = await scene.page(`/#/run/${run}`);
  await watchStreams(page);
  await page.getByRole("region", { name: "Boards" }).waitFor();
  await follows(page, "");
  assert.equal(await page.evaluate(() => globalThis.streams.length), 2, "each stream was opened once");
});

test("a run is followed while it goes on and somebody looks", async () => {
  const run = await begin(scene, SLOW_MATCH);
  const page = await scene.page(`/#/arena/${run}`);
  await watchStreams(page);
  const boards = page.getByRole("region", { name: "Games under way" });
  await boards.waitFor();
  await follows(page, "events live");
  await hide(page, true);
  await follows(page, "");
  const seen = await boards.innerText();
  await hide(page, false);
  await follows(page, "events live");
  await eventually("a later move", async () => (await boards.innerText()) !== seen);

  await page.getByRole("button", { name: "Stop" }).click();
  await boards.waitFor({ state: "detached" });
  await follows(page, "events");
  await page.getByRole("button", { name: "Resume" }).click();
  await boards.waitFor();
  await follows(page, "events live");
  await page.getByRole("button", { name: "Stop" }).click();
  await follows(page, "events");
});

test("a page that was hidden shows what was played meanwhile", async () => {
  const page = await scene.page("/");
  await watchStreams(page);
  const { id } = await sitDown(page, { game: "connect-four", players: ["human", "human"] });
  await page.getByLabel("Live analysis").check();
  await follows(page, "analysis events");
  await hide(page, true);
  await follows(page, "");
  const reply = await page.request.post(`${scene.url}/api/sessions/${id}/moves`, { data: { move: "4" }, headers: { origin: scene.url } });
  assert.ok(reply.ok());
  await hide(page, false);
  await page.getByRole("list", { name: "Moves" }).getByText("4").first().waitFor();
  await follows(page, "analysis events");
  await square(page, "3").click();
  await eventually("the answer", async () => (await state(page)).moves.join() === "4,3");
});
