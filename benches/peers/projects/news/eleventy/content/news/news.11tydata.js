export default {
  layout: "post.njk",
  eleventyComputed: { day: ({ page }) => page.date.toISOString().slice(0, 10) },
};
