import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, EVOLUTION, finished, MATCH, quickRun, runState, SLOW_MATCH } from "./runs.mjs";
import { eventually, slowDown, stage } from "./stage.mjs";

let scene;
before(async () => (scene = await stage()));
after(async () => {
  await scene.end();
  assert.deepEqual(scene.complaints, []);
});

const status = (page) => page.getByTestId("run-status").innerText();
const runOf = (page) => Number(/#\/(?:run|arena)\/(\d+)/.exec(page.url())?.[1]);

async function write(page, text) {
  await page.getByRole("textbox", { name: "Experiment" }).fill(text);
}

test("a mistake is told with its line before anything runs", async () => {
  const page = await scene.page("/#/experiments/new");
  await write(page, MATCH().replace("pairs = 6", "pears = 6"));
  await page.getByText(/Line \d+: .*pears/).first().waitFor();
  assert.ok(await page.getByRole("button", { name: "Start the run" }).isDisabled());
});

test("the shipped studies are there, with what they are about and the published figures", async () => {
  const page = await scene.page("/#/experiments");
  await page.getByRole("link", { name: /Quickstart/ }).click();
  await page.getByRole("textbox", { name: "Experiment" }).waitFor();
  await page.getByText("Published figures that it is compared with").waitFor();
  assert.match(await page.getByRole("textbox", { name: "Experiment" }).inputValue(), /\[evolution\]/);
});

test("a study whose players ship with the program can be changed and run", async () => {
  const page = await scene.page("/#/experiments");
  await page.getByRole("link", { name: /test opponents among themselves/ }).click();
  const box = page.getByRole("textbox", { name: "Experiment" });
  await eventually("the text", async () => /players\/tdloa-self/.test(await box.inputValue()));
  await write(page, (await box.inputValue()).replace(/^pairs = .*$/m, "pairs = 2"));
  await page.getByRole("button", { name: "Start the run" }).click();
  await eventually("the end", async () => (await status(page)) === "finished", 90_000);
});

test("a study that somebody writes stays in the tab until it is run", async () => {
  const page = await scene.page("/#/experiments/new");
  const box = page.getByRole("textbox", { name: "Experiment" });
  const shows = (text) => eventually("the text", async () => (await box.inputValue()) === text);
  const example = await eventually("the example", () => box.inputValue());
  await write(page, MATCH(2));
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
  await page.goBack();
  await shows(MATCH(2));
  await page.reload();
  await shows(MATCH(2));
  await page.getByRole("button", { name: "Back to the example" }).click();
  await shows(example);

  await write(page, MATCH(2));
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.getByTestId("run-status").waitFor();
  await page.goto(`${scene.url}/#/experiments/new`);
  await shows(example);
});

test("an experiment is started, progresses, survives a reload and a closed page, and finishes", async () => {
  const page = await scene.page("/#/experiments/new");
  await write(page, EVOLUTION(60));
  await page.getByText(/60/).first().waitFor();
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.getByTestId("run-status").waitFor();
  const run = runOf(page);
  await eventually("progress", async () => (await runState(scene, run)).run.steps > 0);
  await page.reload();
  await page.getByTestId("run-status").waitFor();
  await page.close();

  const again = await scene.page(`/#/run/${run}`);
  await eventually("the end", async () => (await status(again)) === "finished", 90_000);
  await again.locator(".uplot").first().waitFor();
  await again.getByRole("heading", { name: "The champion" }).waitFor();
  await again.getByText("a made-up paper").first().waitFor({ state: "attached" });

  // Generations: the slider, an individual's weights as boards, and a game against it.
  const slider = again.getByRole("slider", { name: /Generation/ });
  await slider.press("Home");
  await again.getByRole("heading", { name: /Individual 1 of/ }).waitFor();
  await again.getByRole("img", { name: /rows from the top/ }).first().waitFor();
  await again.locator("#generations").getByRole("link", { name: "Play against it" }).click();
  await again.getByRole("dialog").getByRole("button", { name: "Start the game" }).click();
  await again.locator('.squares [data-square="4"]').click();
  await again.getByRole("list", { name: "Moves" }).getByText("4").first().waitFor();
});

test("the individual that was chosen last is shown, whichever answer comes last", async () => {
  const page = await scene.page(`/#/run/${await quickRun(scene)}`);
  const generations = page.locator("#generations");
  await generations.getByRole("heading", { name: /Individual 1 of/ }).waitFor();
  const first = await generations.getByRole("link", { name: "Play against it" }).getAttribute("href");
  await slowDown(page, "**/individuals/1?*", 1000);
  const [slow] = await Promise.all([page.waitForRequest(/individuals\/1\?/), generations.getByLabel("Individual").selectOption("1")]);
  await generations.getByLabel("Individual").selectOption("2");
  await generations.getByRole("heading", { name: /Individual 3 of/ }).waitFor();
  await eventually("the end of the slow request", () => slow.failure() !== null);
  assert.match(await generations.getByRole("heading", { level: 3 }).first().innerText(), /Individual 3 of/);
  assert.notEqual(await generations.getByRole("link", { name: "Play against it" }).getAttribute("href"), first);
});

test("a run that the server's end broke off is resumable, and resuming completes it", async () => {
  const run = await begin(scene, EVOLUTION(400, "A longer evolution"));
  await eventually("some generations", async () => (await runState(scene, run)).run.steps > 0);
  await scene.restart("SIGKILL");
  const page = await scene.page(`/#/run/${run}`);
  await eventually("the status", async () => (await status(page)) === "resumable");
  await page.getByRole("button", { name: "Resume" }).click();
  await eventually("the work", async () => ["running", "finished"].includes(await status(page)));
  await page.getByRole("button", { name: "Stop" }).click();
  await eventually("the stop", async () => (await status(page)) === "resumable");
  await page.getByRole("button", { name: "Resume" }).click();
  await eventually("the end", async () => (await status(page)) === "finished", 120_000);
});

test("two runs are compared", async () => {
  await finished(scene, await begin(scene, EVOLUTION(6, "One")));
  await finished(scene, await begin(scene, EVOLUTION(6, "Other").replace("seed = 11", "seed = 12")));
  const page = await scene.page("/#/experiments");
  const boxes = page.getByRole("checkbox", { name: /Compare run/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("link", { name: "Compare 2 runs" }).click();
  await page.getByRole("heading", { name: "Compare runs" }).waitFor();
  await page.locator(".uplot").first().waitFor();
  assert.ok((await page.getByRole("row").count()) > 2);
});

test("the arena plays a match, shows its table and boards, and its games can be replayed", async () => {
  const page = await scene.page("/#/arena");
  await page.getByLabel("Pairs of games").fill("8");
  await page.getByLabel("Stop as soon as a sequential test has decided").check();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await eventually("the end", async () => (await status(page)) === "finished", 60_000);
  await page.getByText("Elo difference").waitFor();
  await page.getByRole("meter", { name: "Sequential test" }).waitFor();
  await page.getByRole("region", { name: "Boards" }).waitFor();
  const run = runOf(page);

  await page.getByRole("link", { name: "All its games" }).click();
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("slider", { name: /Move 0 of/ }).waitFor();
  const label = () => page.locator("label", { hasText: /^Move \d+ of/ }).innerText();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await label(), /^Move 2 of/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await label(), /^Move 1 of/);
  await page.keyboard.press("Control+ArrowRight");
  assert.match(await label(), /^Move 1 of/, "keys with Ctrl are the browser's");
  await page.keyboard.press("End");
  const plies = Number(/of (\d+)/.exec(await label())[1]);
  assert.match(await label(), new RegExp(`^Move ${plies} of`));
  await page.getByRole("button", { name: "Evaluate every move" }).click();
  await page.getByRole("slider", { name: "Go to a move of the graph" }).waitFor();
  await page.keyboard.press("Home");
  await page.getByLabel("Live analysis").check();
  await page.getByText("Positions", { exact: true }).waitFor();

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "text" }).click()]);
  assert.match(download.suggestedFilename(), /\.txt$/);
  assert.ok(run > 0);
});

test("a slow match shows its games move by move while they are played", async () => {
  const run = await begin(scene, SLOW_MATCH);
  const page = await scene.page(`/#/arena/${run}`);
  const boards = page.getByRole("region", { name: "Games under way" });
  const move = async () => Number(/move (\d+)/.exec(await boards.innerText())?.[1]);
  const first = await eventually("a move", move);
  await eventually("a later move", async () => (await move()) > first);
  assert.equal((await runState(scene, run)).run.games, 0, "no game is over yet");
  assert.match(await boards.innerText(), /Ada – Ben/);
  await page.getByRole("button", { name: "Stop" }).click();
  await eventually("the stop", async () => (await status(page)) === "resumable");
  await boards.waitFor({ state: "detached" });
});

test("the archive filters, and an empty answer says so", async () => {
  await finished(scene, await begin(scene, MATCH(2)));
  const run = await finished(scene, await begin(scene, MATCH(6)));
  const page = await scene.page(`/#/games?run=${run}`);
  await page.getByRole("row").nth(1).waitFor();
  assert.equal(await page.getByRole("row").count(), 13);
  await page.getByLabel("Player").fill("nobody of that name");
  await page.getByLabel("Player").press("Enter");
  await page.getByText("No game fits").waitFor();
  await page.getByLabel("Player").fill("");
  await page.getByLabel("Player").press("Enter");
  await page.getByRole("row").nth(1).waitFor();
  await page.getByLabel("To plies").fill("1");
  await page.getByLabel("To plies").press("Enter");
  await page.getByText("No game fits").waitFor();
  await page.getByLabel("To plies").fill("");
  await page.getByLabel("To plies").press("Enter");
  await eventually("the games of the run", async () => (await page.getByRole("row").count()) === 13);
  // The link to the page shows all games again, whatever was filtered.
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await eventually("all runs", async () => (await page.getByLabel("Run").inputValue()) === "");
  await eventually("more games", async () => (await page.getByRole("row").count()) > 13);
});

test("a game file is checked move by move", async () => {
  const page = await scene.page("/#/games/file");
  await page.getByLabel("Or its text").fill('[Event "Good"]\n[Result "*"]\n1. 11-15 23-19 2. 8-11 22-17 *\n\n[Event "Bad"]\n[Result "*"]\n1. 11-15 15-19 *\n');
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("1 of 2 games are legal.").waitFor();
  await page.getByRole("cell", { name: "15-19", exact: true }).waitFor();
  await page.getByRole("button", { name: /Good/ }).click();
  await page.getByRole("slider", { name: /Move 0 of 4/ }).waitFor();
});
