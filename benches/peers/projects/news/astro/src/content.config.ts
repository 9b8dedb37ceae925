import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const news = defineCollection({
  loader: glob({ base: "./content/news", pattern: "*.md" }),
  schema: z.object({
    title: z.string(),
    description: z.string(),
    date: z.date(),
    author: z.string(),
    kind: z.enum(["event", "report"]),
    tags: z.array(z.string()),
  }),
});

export const collections = { news };
