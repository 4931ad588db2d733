// A run with a curve of 100,000 points in a real browser: how long until it is drawn, how fluid it stays under the pointer, and
// what is fetched to look closer. Needs cargo, which builds the example that writes the run; LONG_CURVE names a built one.
//
//   npm run long-curve         (LANISTA names the program; ../target/release/lanista otherwise)
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const release = join(root, "target/release/lanista");
if (existsSync(release)) process.env.LANISTA ??= release;
const { eventually, stage } = await import("../tests/stage.mjs");

const scene = await stage();
try {
  const store = join(scene.folder, "store.db");
  const [program, ...words] = process.env.LONG_CURVE ? [process.env.LONG_CURVE] : ["cargo", "run", "--quiet", "--locked", "-p", "lanista-web", "--example", "long_curve", "--"];
  const written = spawnSync(program, [...words, store], { cwd: root, encoding: "utf8" });
  const run = Number(written.stdout);
  if (!run) throw new Error(`the run could not be written: ${written.stderr}`);

  const page = await scene.page("/");
  const asked = [];
  page.on("response", async (reply) => {
    if (!reply.url().includes("/metrics")) return;
    const body = await reply.text();
    const curve = JSON.parse(body).curves[0];
    asked.push({ points: curve.x.length, total: curve.total, kilobytes: Math.round(body.length / 1000), milliseconds: Math.round(reply.request().timing().responseEnd) });
  });
  const began = performance.now();
  await page.goto(`${scene.url}/#/run/${run}`);
  await page.locator(".uplot canvas").first().waitFor();
  console.log(`drawn after ${(performance.now() - began).toFixed(0)} ms`);

  /** The time between frames while something happens. */
  const frames = async (what, act) => {
    await page.evaluate(() => {
      const times = (globalThis.frameTimes = []);
      let last = performance.now();
      const frame = (now) => {
        times.push(now - last);
        last = now;
        globalThis.frameLoop = requestAnimationFrame(frame);
      };
      globalThis.frameLoop = requestAnimationFrame(frame);
    });
    await act();
    const times = await page.evaluate(() => (cancelAnimationFrame(globalThis.frameLoop), globalThis.frameTimes.slice(1).sort((a, b) => a - b)));
    console.log(`${what}: ${times.length} frames, half of them within ${times[times.length >> 1].toFixed(0)} ms, the slowest ${times.at(-1).toFixed(0)} ms`);
  };
  const chart = await page.locator(".uplot .u-over").first().boundingBox();
  const across = (share) => chart.x + chart.width * share;
  const height = chart.y + chart.height / 2;
  await frames("the pointer over the chart", async () => {
    for (let step = 0; step < 120; step++) await page.mouse.move(across(0.05 + step * 0.0075), height);
  });
  const before = asked.length;
  await frames("a closer look", async () => {
    await page.mouse.move(across(0.3), height);
    await page.mouse.down();
    await page.mouse.move(across(0.31), height, { steps: 8 });
    await page.mouse.up();
    await eventually("more points", async () => asked.length > before);
  });
  await page.getByRole("button", { name: "Show all generations" }).waitFor();
  for (const entry of asked) console.log(`asked: ${entry.points} of ${entry.total} points, ${entry.kilobytes} kB, ${entry.milliseconds} ms`);
} finally {
  await scene.end();
}
