// A server with a store of its own and a browser, for one test file; both end with it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const PROGRAM = process.env.LANISTA ?? join(TARGET, "debug", "lanista");
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** Where the pages are read from, if not from inside the program: while they are being written, `LANISTA_PAGES=dist`. */
const PAGES = process.env.LANISTA_PAGES;

/** How long anything may take on a busy machine before a test gives up. */
export const PATIENCE = 30_000;

export async function startServer(folder, extra = []) {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build it with cargo build -p lanista-cli, or name it with LANISTA`);
  const process_ = spawn(PROGRAM, ["serve", "--port", "0", "--store", join(folder, "store.db"), ...extra], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the server gave no address: ${said}`)), PATIENCE);
    const read = (data) => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) {
        clearTimeout(late);
        resolve(found[0]);
      }
    };
    process_.stdout.on("data", read);
    process_.stderr.on("data", read);
    process_.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => process_.on("exit", resolve));
  return {
    url,
    pid: process_.pid,
    async stop(signal = "SIGTERM") {
      process_.kill(signal);
      await ended;
    },
  };
}

/** The server's own headers, content security policy included, with a file of the folder. */
async function answerFromFolder(route) {
  const path = new URL(route.request().url()).pathname;
  const { headers } = await route.fetch({ url: new URL("/", route.request().url()).href });
  delete headers["content-type"];
  delete headers["content-encoding"];
  delete headers["content-length"];
  await route.fulfill({ path: join(PAGES, path === "/" ? "index.html" : path), headers });
}

export async function stage() {
  if (!CHROMIUM) throw new Error("Chromium is missing: install it with scripts/setup browser, or name it with CHROMIUM");
  const folder = await mkdtemp(join(tmpdir(), "lanista-ui-"));
  let server = await startServer(folder);
  // The sandbox of the browser needs rights that containers do not give; the pages are our own.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  const complaints = [];
  return {
    folder,
    get url() {
      return server.url;
    },
    /** A page in a browser of its own; whatever it complains about fails the test at the end. */
    async page(path = "/", options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
      if (PAGES) await context.route((url) => url.origin === server.url && !url.pathname.startsWith("/api/"), answerFromFolder);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|ERR_|EventSource/.test(message.text())) complaints.push(message.text());
      });
      page.on("request", (request) => {
        if (!request.url().startsWith("http://127.0.0.1:") && !/^(data|blob):/.test(request.url())) complaints.push(`a request to ${request.url()}`);
      });
      await page.goto(server.url + path);
      return page;
    },
    /** Kills the server and starts another one on the same store. */
    async restart(signal = "SIGKILL") {
      await server.stop(signal);
      server = await startServer(folder);
    },
    complaints,
    async end() {
      await browser.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Holds requests back for a while, so that a test can do something before they are answered. */
export async function slowDown(page, address, milliseconds) {
  await page.route(address, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    // The page may have given the request up meanwhile.
    await route.continue().catch(() => {});
  });
}

/** Asks again and again until the answer is there. */
export async function eventually(what, ask, patience = PATIENCE) {
  const until = Date.now() + patience;
  let last;
  for (;;) {
    try {
      last = await ask();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`${what}: not within ${patience / 1000} s (last: ${last})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
