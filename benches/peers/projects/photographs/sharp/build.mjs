// Makes the copies of all photographs, and nothing else: what sharp costs without a generator around it.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

const out = process.argv[2];
mkdirSync(out, { recursive: true });
const wanted = readdirSync("photographs").flatMap((file) =>
  [480, 800, 1200, 1600].flatMap((width) =>
    ["webp", "jpeg"].map((format) => ({
      file: join("photographs", file),
      width,
      format,
      to: join(out, `${file.replace(/\.jpg$/, "")}-${width}.${format}`),
    })),
  ),
);
const missing = wanted.filter(({ to }) => !existsSync(to));
const settings = { webp: { quality: 80, effort: 4 }, jpeg: { quality: 80 } };
// As many copies at a time as there are processors: more of them would take more memory, and no less time.
const worker = async () => {
  for (let copy = missing.shift(); copy; copy = missing.shift()) {
    await sharp(copy.file).resize({ width: copy.width })[copy.format](settings[copy.format]).toFile(copy.to);
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));
