// Runs before the prerender bundle. What gives another result in a browser, or at the next build, throws: such HTML
// would not match what the browser renders, or make two builds of the same content differ.
(() => {
  const refuse = (what) => () => {
    throw new Error(`${what} is not available while prerendering; use it in an effect or an event handler`);
  };
  for (const name of [
    "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "setInterval", "requestAnimationFrame", "structuredClone",
  ])
    globalThis[name] = refuse(name);
  for (const object of ["Intl", "localStorage", "sessionStorage", "crypto"])
    Object.defineProperty(globalThis, object, { configurable: true, get: refuse(object) });
  delete globalThis.performance;

  Math.random = refuse("Math.random");
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    apply: refuse("the clock"),
    construct: (target, values) => (values.length === 0 ? refuse("the clock")() : new target(...values)),
  });
  RealDate.prototype.constructor = globalThis.Date;
  RealDate.now = refuse("the clock");
  const local = (name) => /^(toLocale|(get|set)(?!UTC|Time$)|to(Date|Time)?String$)/.test(name);
  for (const name of Object.getOwnPropertyNames(RealDate.prototype).filter(local))
    RealDate.prototype[name] = refuse(`Date.prototype.${name}, which depends on the time zone,`);
  Object.defineProperty(RealDate.prototype, Symbol.toPrimitive, {
    value: refuse("a date as text, which depends on the time zone,"),
  });

  for (const [type, names] of [
    [Number, ["toLocaleString"]],
    [BigInt, ["toLocaleString"]],
    [Array, ["toLocaleString"]],
    [String, ["localeCompare", "toLocaleUpperCase", "toLocaleLowerCase"]],
  ])
    for (const name of names) type.prototype[name] = refuse(`${type.name}.prototype.${name}`);

  const quiet = () => {};
  globalThis.console = { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet };
})();
