// Stands for a module of Node while islands are prerendered. Packages may import it and take parts out of it, since many do
// so for what an island never calls. A part that is called says what is missing.
const refuse = (name) => () => {
  throw new Error(`\`${name}\` of Node is not available while prerendering`);
};
const part = (name) => {
  const traps = {
    get: (target, key) =>
      key === "prototype" ? target.prototype : typeof key === "symbol" || key === "then" ? undefined : part(key),
    apply: refuse(name),
    construct: refuse(name),
  };
  // Bundles copy a module onto an object with the same prototype.
  const prototype = new Proxy(function () {}, traps);
  return new Proxy(function () {}, { ...traps, getPrototypeOf: () => prototype });
};
module.exports = part("a module");
