// 200 pages that follow a run and 50 analyses at once, against a server of its own. Prints what it saw, and fails if a request
// failed, an analysis starved, or anything went on after its viewers had left.
//
//   npm run load               (LANISTA names the program; ../target/release/lanista otherwise; SECONDS lasts longer than 20)
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const release = fileURLToPath(new URL("../../target/release/lanista", import.meta.url));
if (existsSync(release)) process.env.LANISTA ??= release;
const { eventually, startServer } = await import("../tests/stage.mjs");
const { begin } = await import("../tests/runs.mjs");

const VIEWERS = 200;
const ANALYSES = 50;
const SECONDS = Number(process.env.SECONDS ?? 20);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Memory of the server in MB, and the seconds of processor time that it has used (Linux counts in hundredths). */
const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
const used = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const failures = [];
/** Follows a stream of events until it is left; `events` counts them, `last` is the last one. */
function follow(url) {
  const leave = new AbortController();
  const viewer = { events: 0, last: null, leave: () => leave.abort() };
  viewer.done = (async () => {
    const reply = await fetch(url, { signal: leave.signal });
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
    let rest = "";
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines.filter((text) => text.startsWith("data:"))) {
        viewer.events++;
        viewer.last = line.slice(5);
      }
    }
  })().catch((error) => {
    if (error.name !== "AbortError") failures.push(`${url}: ${error.message}`);
  });
  return viewer;
}

const folder = await mkdtemp(join(tmpdir(), "lanista-load-"));
const server = await startServer(folder);
try {
  const idle = memory(server.pid);
  const scene = { url: server.url };
  const run = await begin(scene, 'title = "Load"\ngame = "loa"\n\n[match]\na = "pvs:depth=5"\nb = "pvs:depth=4"\npairs = 2000\n');
  const viewers = Array.from({ length: VIEWERS }, (_, index) => follow(`${server.url}/api/runs/${run}/${index % 2 ? "live" : "events"}`));
  const analyses = Array.from({ length: ANALYSES }, () => follow(`${server.url}/api/analysis?game=loa&moves=b1-b3`));

  const pages = [];
  const moves = [];
  let most = 0;
  const session = { game: "connect-four", players: ["human", "human"] };
  const post = (path, body) =>
    fetch(server.url + path, { method: "POST", headers: { "content-type": "application/json", origin: server.url }, body: JSON.stringify(body) });
  const { id } = await (await post("/api/sessions", session)).json();
  const until = performance.now() + SECONDS * 1000;
  while (performance.now() < until) {
    const began = performance.now();
    await (await fetch(server.url)).text();
    pages.push(performance.now() - began);
    const asked = performance.now();
    const reply = await post(`/api/sessions/${id}/${moves.length % 2 ? "undo" : "moves"}`, moves.length % 2 ? {} : { move: "4" });
    if (!reply.ok) failures.push(`a move: ${reply.status}`);
    await reply.json();
    moves.push(performance.now() - asked);
    most = Math.max(most, memory(server.pid));
    await pause(250);
  }

  const depths = analyses.map((viewer) => JSON.parse(viewer.last ?? "{}").thinking?.depth ?? 0).sort((a, b) => a - b);
  const events = viewers.map((viewer) => viewer.events).sort((a, b) => a - b);
  const slowest = (times) => Math.max(...times).toFixed(0);
  const middle = (times) => [...times].sort((a, b) => a - b)[times.length >> 1].toFixed(0);
  console.log(`${VIEWERS} viewers: ${events[0]} to ${events.at(-1)} events each in ${SECONDS} s`);
  console.log(`${ANALYSES} analyses: depth ${depths[0]} to ${depths.at(-1)} each`);
  console.log(`memory: ${idle.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
  console.log(`first page: ${middle(pages)} ms, at most ${slowest(pages)} ms; a move: ${middle(moves)} ms, at most ${slowest(moves)} ms`);
  if (events[0] === 0) failures.push("a viewer was told nothing");
  // Analyses of one position tell a depth when it is done: with equal shares they are at most one apart.
  if (depths.at(-1) - depths[0] > 1) failures.push("an analysis starved");

  for (const viewer of [...viewers, ...analyses]) viewer.leave();
  await Promise.all([...viewers, ...analyses].map((viewer) => viewer.done));
  await post(`/api/runs/${run}/cancel`, {});
  const left = performance.now();
  await eventually("rest after everybody left", async () => {
    const before = used(server.pid);
    await pause(500);
    return used(server.pid) - before < 0.05;
  });
  console.log(`at rest ${((performance.now() - left) / 1000).toFixed(1)} s after everybody left, with ${memory(server.pid).toFixed(0)} MB`);
  console.log(failures.length > 0 ? `${failures.length} failures:\n${failures.slice(0, 10).join("\n")}` : "no failures");
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
