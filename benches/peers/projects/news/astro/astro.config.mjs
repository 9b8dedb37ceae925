import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://bench.test",
  cacheDir: "./cache",
  compressHTML: false,
  trailingSlash: "always",
  devToolbar: { enabled: false },
  markdown: { syntaxHighlight: false },
  experimental: { incrementalBuild: process.env.INCREMENTAL === "1" },
});
