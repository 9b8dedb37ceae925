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
  // A date is a number of milliseconds. What puts year, month and hour in its place, or the other way round, asks for the
  // time zone, unless it is UTC (ECMA-262, "Date Time String Format": a day alone is in UTC, an hour only with an offset).
  const inUtc =
    /^([+-]\d\d)?\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$|^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
  const instant = (value) => {
    if (value instanceof RealDate) return value.getTime();
    if (typeof value === "object" && value !== null) {
      const plain = value.valueOf();
      value = typeof plain === "object" ? `${value}` : plain;
    }
    if (typeof value === "string" && /\d/.test(value) && !inUtc.test(value))
      throw new Error(
        `the date \`${value}\` depends on the time zone, which is not available while prerendering; ` +
          "write it like `2026-12-31` or `2026-12-31T18:00:00Z`",
      );
    return value;
  };
  const parts = () => {
    throw new Error(
      "`new Date` with a year and a month depends on the time zone, which is not available while prerendering; " +
        "write `new Date(Date.UTC(…))`",
    );
  };
  globalThis.Date = new Proxy(RealDate, {
    apply: refuse("the clock"),
    construct: (target, values, made) =>
      values.length === 0
        ? refuse("the clock")()
        : values.length > 1
          ? parts()
          : Reflect.construct(target, [instant(values[0])], made),
  });
  const { parse } = RealDate;
  RealDate.parse = (text) => parse(instant(`${text}`));
  RealDate.prototype.constructor = globalThis.Date;
  RealDate.now = refuse("the clock");
  const local = (name) => /^(toLocale|(get|set)(?!UTC|Time$)|to(Date|Time)?String$)/.test(name);
  for (const name of Object.getOwnPropertyNames(RealDate.prototype).filter(local))
    RealDate.prototype[name] = refuse(`Date.prototype.${name}, which depends on the time zone,`);
  Object.defineProperty(RealDate.prototype, Symbol.toPrimitive, {
    value(hint) {
      if (hint === "number") return this.getTime();
      return refuse("a date as text, which depends on the time zone,")();
    },
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
