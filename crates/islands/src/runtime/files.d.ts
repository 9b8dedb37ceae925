// What islands may import beside scripts.

declare module "*.module.css" {
  const classes: Record<string, string>;
  export default classes;
}

declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.png" {
  const address: string;
  export default address;
}
declare module "*.jpg" {
  const address: string;
  export default address;
}
declare module "*.webp" {
  const address: string;
  export default address;
}
declare module "*.avif" {
  const address: string;
  export default address;
}
declare module "*.css";
