import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { sitDown } from "./people.mjs";
import { quickRun } from "./runs.mjs";
import { stage } from "./stage.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let scene;
let run;
before(async () => {
  scene = await stage();
  run = await quickRun(scene);
});
after(async () => {
  await scene.end();
  assert.deepEqual(scene.complaints, []);
});

/** Every page with what must be on it before anybody looks. */
const pages = () => [
  ["/#/play", "heading", "Play"],
  ["/#/games", "heading", "Games"],
  ["/#/arena", "heading", "Arena"],
  ["/#/experiments", "heading", "Experiments"],
  [`/#/run/${run}`, "heading", "A small evolution"],
  ["/#/cluster", "heading", "Cluster"],
  ["/#/api", "heading", "API"],
];

async function settle(page, [path, role, name]) {
  await page.goto(scene.url + path);
  await page.getByRole(role, { name, exact: false }).first().waitFor();
  await page.waitForLoadState("networkidle").catch(() => {});
}

/** What axe finds serious or critical. */
async function faults(page) {
  // Evaluated by the developer tools, which the page's content security policy does not bind.
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations
    .filter((violation) => ["serious", "critical"].includes(violation.impact))
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`);
}

for (const scheme of ["light", "dark"]) {
  test(`no serious accessibility issue on any page, ${scheme}`, async () => {
    const page = await scene.page("/", { colorScheme: scheme });
    for (const entry of pages()) {
      await settle(page, entry);
      assert.deepEqual(await faults(page), [], entry[0]);
    }
    await sitDown(page, { game: "draughts", start: "B:W6,7,14,15:BK2", players: ["human", "human"] });
    assert.deepEqual(await faults(page), [], "a game");
    await page.getByRole("button", { name: "New game…" }).click();
    await page.getByLabel("Begin from another position").check();
    await page.getByRole("dialog").locator('[data-square="9"]').waitFor();
    assert.deepEqual(await faults(page), [], "the dialog");
  });
}

test("nothing is wider than a phone", async () => {
  const page = await scene.page("/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const entry of pages()) {
    await settle(page, entry);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${entry[0]} is ${width} pixels wide`);
  }
  await sitDown(page, { game: "loa", players: ["human", "human"] });
  const board = await page.locator(".squares").boundingBox();
  assert.ok(board.x >= 0 && board.x + board.width <= 390);
  await page.locator('[data-square="b8"]').tap();
  await page.locator('[data-square="b6"]').tap();
  await page.getByRole("list", { name: "Moves" }).getByText("b8-b6").waitFor();
});

test("the theme follows the system, the switch overrules it, and the choice stays", async () => {
  const page = await scene.page("/", { colorScheme: "dark" });
  const shown = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole("button", { name: "Change to the light theme" }).waitFor();
  assert.equal(await shown(), "dark");
  await page.getByRole("button", { name: "Change to the light theme" }).click();
  assert.equal(await shown(), "light");
  await page.reload();
  await page.getByRole("button", { name: "Change to the dark theme" }).waitFor();
  assert.equal(await shown(), "light");
});

test("every page can be reached and left by keyboard", async () => {
  const page = await scene.page("/#/games");
  await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
  assert.equal(focused, "Play");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Play", exact: true }).waitFor();
});

test("an unknown page and a game that is gone say what to do", async () => {
  const page = await scene.page("/#/nowhere");
  await page.getByRole("link", { name: "Go to the board" }).click();
  await page.getByRole("heading", { name: "Play", exact: true }).waitFor();
  await page.goto(`${scene.url}/#/play/0000000000000000`);
  await page.getByText(/Begin a new one/).first().waitFor();
  await page.goto(`${scene.url}/#/compare`);
  await page.getByText(/Tick two or more runs/).waitFor();
  // An address that nothing can be made of is a page that is not there, not an empty window.
  const typed = await scene.page("/#/%E0%A4%A");
  await typed.getByRole("link", { name: "Go to the board" }).waitFor();
});
