import { defineConfig } from "vite";

/** The browser's side. Everything is of one origin and a file: the policy allows no inline script, style or data address. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // React marks its files "use client", which means nothing here.
    rollupOptions: { onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning) },
  },
  logLevel: "warn",
});
