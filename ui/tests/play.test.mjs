import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { click, playToTheEnd, sitDown, square, state } from "./people.mjs";
import { eventually, slowDown, stage } from "./stage.mjs";

let scene;
before(async () => (scene = await stage()));
after(async () => {
  await scene.end();
  assert.deepEqual(scene.complaints, []);
});

test("the first page offers every game, and one click begins it", async () => {
  const page = await scene.page("/");
  await page.getByRole("heading", { name: "Play", exact: true }).waitFor();
  await page.getByRole("radio", { name: /Gentle/ }).check();
  await page.getByRole("region", { name: "Connect Four" }).getByRole("button", { name: /^Play/ }).click();
  await square(page, "4").click();
  await eventually("an answer", async () => (await state(page)).moves.length >= 2);
  assert.equal((await state(page)).moves[0], "4");
});

for (const [game, name] of [["loa5", "Lines of Action"], ["connect-four", "Connect Four"], ["draughts", "English draughts"]]) {
  test(`a human plays ${name} to the end`, async () => {
    const page = await scene.page("/");
    await sitDown(page, { game, players: ["human", "random"], seed: 7 });
    const captures = (moves) => moves.find((move) => move.captured.length > 0) ?? moves[Math.floor(moves.length / 2)];
    const end = await playToTheEnd(page, captures);
    assert.ok(end.position.outcome.text);
    await eventually("the result on the page", async () => (await page.getByTestId("status").innerText()) === end.position.outcome.text);
    await page.getByRole("button", { name: "Play again" }).waitFor();
  });
}

test("the side that sits below has its card below, too", async () => {
  const page = await scene.page("/");
  const below = () => page.locator(".side").last().innerText();
  await sitDown(page, { game: "draughts", players: ["human", "random"] });
  assert.match(await below(), /^Black/);
  await sitDown(page, { game: "draughts", players: ["random", "human"] });
  assert.match(await below(), /^White/);
  await page.getByRole("button", { name: "Flip" }).click();
  assert.match(await below(), /^Black/);
});

test("undo and redo, and a reload in the middle loses nothing", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "loa", players: ["human", "random"], seed: 1 });
  const first = await state(page);
  await click(page, first.position.moves[0]);
  const later = await eventually("the answer", async () => {
    const seen = await state(page);
    return seen.moves.length === 2 ? seen : null;
  });
  await page.reload();
  await page.getByRole("list", { name: "Moves" }).getByText(later.moves[1]).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually("the start", async () => (await state(page)).moves.length === 0);
  await page.getByRole("button", { name: "Redo" }).click();
  await eventually("both moves", async () => (await state(page)).moves.join() === later.moves.join());
});

test("a forced capture is shown, other pieces are refused, and a multi-jump goes step by step", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "draughts", start: "B:W6,7,14,15,30:B12,K2", players: ["human", "human"] });
  await page.getByTestId("status").filter({ hasText: /A capture is forced/ }).waitFor();
  await square(page, "12").click();
  await page.getByTestId("status").filter({ hasText: /A capture is forced: 2x/ }).waitFor();
  await square(page, "2").click();
  await square(page, "9").click();
  await square(page, "18").click();
  assert.equal((await state(page)).moves.length, 0, "half a capture is no move");
  await square(page, "30").click();
  await page.getByTestId("status").filter({ hasText: /The capture goes on/ }).waitFor();
  await square(page, "11").click();
  await square(page, "2").click();
  const after_ = await eventually("the capture", async () => {
    const seen = await state(page);
    return seen.moves.length === 1 ? seen : null;
  });
  assert.equal(after_.moves[0], "2x9x18x11x2");
  assert.equal(after_.position.pieces.filter((piece) => piece.side === 1).length, 1);
});

test("Lines of Action: how far each line moves a piece, and why some lines are closed", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "loa", players: ["human", "human"] });
  await square(page, "b1").click();
  const numbers = async (selector) => (await page.locator(selector).allTextContents()).map(Number).sort();
  assert.deepEqual(await numbers(".board text.steps"), [2, 2, 6]);
  assert.deepEqual(await numbers(".board .closed text"), [2, 6]);
  await eventually("the announcement", async () => /b3, 2 squares.*Closed: .*would jump over the other side on a2/.test(await page.getByTestId("announcer").textContent()));
  assert.match(await square(page, "a2").getAttribute("aria-label"), /closed: 2 squares would jump over/);
  await page.keyboard.press("Escape");
  await eventually("nothing chosen", async () => (await page.locator(".board .closed").count()) === 0 || (await page.locator(".board .chosen").count()) === 0);
});

test("a piece can be dragged", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "loa", players: ["human", "human"] });
  const from = await square(page, "b8").boundingBox();
  const to = await square(page, "b6").boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
  await page.mouse.up();
  await eventually("the move", async () => (await state(page)).moves[0] === "b8-b6");
});

test("the keyboard alone is enough", async () => {
  const page = await scene.page("/");
  await page.getByRole("heading", { name: "Play", exact: true }).waitFor();
  await page.getByRole("region", { name: "Connect Four" }).getByRole("button", { name: /^Play/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("status").waitFor();
  // Tab from the top of the page until the board is reached.
  await eventually("focus on the board", async () => {
    await page.keyboard.press("Tab");
    return page.evaluate(() => document.activeElement?.closest(".squares") !== null);
  });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await eventually("the move", async () => (await state(page)).moves[0] === "3");
  await eventually("the announcement", async () => /plays \d/.test(await page.getByTestId("announcer").textContent()));

  await sitDown(page, { game: "draughts", players: ["human", "human"] });
  await square(page, "9").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await eventually("the move", async () => /^9-1[34]$/.test((await state(page)).moves[0]));
});

test("hints, exact values, analysis and the evaluation of every move", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "connect-four", players: ["human", "random"], seed: 3 });
  await square(page, "4").click();
  await eventually("the answer", async () => (await state(page)).moves.length === 2);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".arrow").first().waitFor({ state: "attached" });
  await page.getByLabel("Exact values").check();
  await page.locator("text.note").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("text.note").count(), 7);
  await page.getByLabel("Live analysis").check();
  await page.getByText("Positions", { exact: true }).waitFor();
  await page.getByLabel("Live analysis").uncheck();
  await page.getByRole("button", { name: "Evaluate every move" }).click();
  await page.getByRole("button", { name: "Evaluate every move" }).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "text" }).click()]);
  assert.match(file.suggestedFilename(), /\.txt$/);
});

test("a game from a position of one's own, and a wrong one is refused with a reason", async () => {
  const page = await scene.page("/#/play?game=draughts");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Begin from another position").check();
  await dialog.getByLabel("As text").last().fill("nonsense");
  await dialog.getByLabel("As text").last().press("Tab");
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Empty board" }).click();
  await dialog.getByRole("button", { name: "Black", exact: true }).first().click();
  await dialog.locator('[data-square="9"]').click();
  await dialog.getByRole("button", { name: "White", exact: true }).first().click();
  await dialog.locator('[data-square="14"]').click();
  await eventually("the text of the position", async () => /W14:B9/.test(await dialog.getByLabel("As text").last().inputValue()));
  await dialog.getByRole("button", { name: "Start the game" }).click();
  await page.getByTestId("status").waitFor();
  assert.equal((await state(page)).position.pieces.length, 2);
});

test("a game begins from the position that is shown, however slow its check is, or not at all", async () => {
  const page = await scene.page("/#/play?game=draughts");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Begin from another position").check();
  const text = dialog.getByLabel("As text").last();
  await eventually("the start", async () => (await text.inputValue()) !== "");
  await slowDown(page, "**/api/position/check", 500);
  await text.fill("nonsense");
  await dialog.getByRole("button", { name: "Start the game" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Start the game" }).click();
  await eventually("the refusal", () => dialog.getByRole("button", { name: "Start the game" }).isEnabled());
  assert.ok(await dialog.isVisible());

  await text.fill("B:W14:B9");
  await text.press("Enter");
  await page.getByTestId("status").waitFor();
  assert.equal((await state(page)).position.pieces.length, 2);
});

test("the last game can be gone on with until it is gone", async () => {
  const page = await scene.page("/");
  const { id } = await sitDown(page, { game: "loa", players: ["human", "human"] });
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await page.getByRole("link", { name: "Go on with the last game" }).click();
  await page.getByTestId("status").waitFor();
  await page.request.delete(`${scene.url}/api/sessions/${id}`, { headers: { origin: scene.url } });
  await page.getByText(/Begin a new one/).first().waitFor();
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await page.getByText(/Begin a new one/).first().waitFor({ state: "detached" });
  assert.equal(await page.getByRole("link", { name: "Go on with the last game" }).count(), 0);
});

test("keys with Alt, Ctrl or Meta are left to the browser", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "loa", players: ["human", "human"] });
  await square(page, "b8").focus();
  await page.evaluate(() => addEventListener("keydown", (event) => (globalThis.swallowed = event.defaultPrevented)));
  for (const modifier of ["Alt", "Control", "Meta"]) {
    await page.keyboard.press(`${modifier}+ArrowDown`);
    assert.equal(await page.evaluate(() => globalThis.swallowed), false, modifier);
  }
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => globalThis.swallowed), true);
});

test("exact values of a position that is gone are not waited for", async () => {
  const page = await scene.page("/");
  await sitDown(page, { game: "connect-four", players: ["human", "human"] });
  await slowDown(page, "**/api/solve?*", 1000);
  const [asked] = await Promise.all([page.waitForRequest(/api\/solve/), page.getByLabel("Exact values").check()]);
  const [given] = await Promise.all([page.waitForEvent("requestfailed"), square(page, "4").click()]);
  assert.equal(given.url(), asked.url());
  await page.locator("text.note").first().waitFor({ state: "attached" });
});
