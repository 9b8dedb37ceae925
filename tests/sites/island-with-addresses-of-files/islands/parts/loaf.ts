export const loaf = new URL(
  "./loaf.svg#crust",
  import.meta.url,
);
