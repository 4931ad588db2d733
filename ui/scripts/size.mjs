// Fails when the built JavaScript is larger than what a page may load: 300 kB compressed.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT = 300_000;
const folder = new URL("../dist/assets/", import.meta.url);
const total = readdirSync(folder)
  .filter((name) => name.endsWith(".js"))
  .reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder))).length, 0);

console.log(`JavaScript of all pages: ${(total / 1000).toFixed(1)} kB compressed (limit ${LIMIT / 1000} kB)`);
if (total > LIMIT) process.exit(1);
