import { defineConfig } from "vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";

// The server that the development pages talk to: `lanista serve`.
const server = process.env.LANISTA_SERVER ?? "http://127.0.0.1:7417";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    // The content security policy forbids data: scripts and styles, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The server takes requests from its own pages only, so the development pages speak in its name.
  server: { proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } } },
});
