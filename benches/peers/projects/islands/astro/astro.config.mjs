import react from "@astrojs/react";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://bench.test",
  cacheDir: "./cache",
  compressHTML: false,
  devToolbar: { enabled: false },
  integrations: [react()],
  markdown: { syntaxHighlight: false },
});
