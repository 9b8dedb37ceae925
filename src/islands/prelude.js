// Runs before the bundle of an island, once in each engine. It gives islands the globals that browsers and servers share,
// and takes whatever differs from visitor to visitor (chance, the clock, the time zone, the language) from the *world* that
// the build chooses. The build renders an island in one world and, if it asked for any of this, in a second
// one where everything is different. It also records the objects that islands share, and reports whether one was changed.
//
// The value of this script is the function below. `host` has what is done outside: parsing addresses.
0, function (host) {
  "use strict";
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  const publish = (members) => {
    for (const name of Object.keys(members)) define(globalThis, name, members[name]);
  };

  // The world. Bits say which of the four kinds have their second value.
  const CHANCE = 1;
  const CLOCK = 2;
  const ZONE = 4;
  const LANGUAGE = 8;
  let world = 0;
  let asked = 0;
  let traces = null;
  const isSecond = (kind) => (world & kind) !== 0;
  const ask = (kind, what) => {
    asked |= kind;
    if (traces !== null && traces[kind] === undefined) traces[kind] = { what, stack: new Error().stack };
  };

  // Chance: xorshift32 (Marsaglia, 2003). The numbers of the second world are those of the first, mirrored at a half, and
  // seven of eight lie in the outer quarters: a coin or a die that is thrown in both never shows the same.
  let state = 1;
  let thrown = 0;
  const bits = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const random = () => {
    let value = (bits() >>> 5) * 67108864 + (bits() >>> 6);
    if (thrown++ % 8 !== 7) {
      const quarter = 2251799813685248;
      value = value % (2 * quarter);
      if (value >= quarter) value += 2 * quarter;
    }
    if (isSecond(CHANCE)) value = 9007199254740991 - value;
    return value / 9007199254740992;
  };
  define(Math, "random", function random_() {
    ask(CHANCE, "Math.random()");
    return random();
  });
  const getRandomValues = (array) => {
    ask(CHANCE, "crypto.getRandomValues()");
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(random() * 256);
    return array;
  };
  const randomUUID = () => {
    const bytes = getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  // The clock. The two worlds are a lifetime apart, on other days of the week, and both far from any date that a component
  // compares with. Each reading is later than the last, so that a loop which waits for it ends.
  const FIRST = 981173106007; // 2001-02-03T04:05:06.007Z
  const SECOND = 4001944881678; // 2096-10-24T19:21:21.678Z
  let ticks = 0;
  const clock = (what) => {
    ask(CLOCK, what);
    return isSecond(CLOCK) ? SECOND + 3 * ticks++ : FIRST + ticks++;
  };

  // The time zone: every moment has another local day in the second world than in the first.
  const offset = (what) => {
    ask(ZONE, what);
    return isSecond(ZONE) ? 14 * 3600000 : -11 * 3600000;
  };
  const RealDate = Date;
  const real = RealDate.prototype;
  const { getTime, setTime } = real;
  const { parse: parseReal, UTC } = RealDate;
  // A day alone is in UTC, an hour only with an offset (ECMA-262, "Date Time String Format").
  const isoDay = /^([+-]\d\d)?\d{4}(-\d\d(-\d\d)?)?$/;
  const withOffset = /(Z|GMT|UTC|UT|[+-]\d\d:?\d\d)(\s*\([^)]*\))?\s*$/i;
  const parse = (text) => {
    if (isoDay.test(text) || withOffset.test(text)) return parseReal(text);
    const isIso = /^\d{4}-\d\d-\d\dT/.test(text);
    const moment = parseReal(isIso ? `${text}Z` : `${text} UTC`);
    return Number.isNaN(moment) ? moment : moment - offset(`new Date(${JSON.stringify(text)})`);
  };
  const momentOf = (values) => {
    if (values.length === 0) return clock("new Date()");
    if (values.length > 1) return UTC(...values) - offset("new Date(year, month, …)");
    let value = values[0];
    if (value instanceof RealDate) return getTime.call(value);
    if (typeof value === "object" && value !== null) {
      const convert = value[Symbol.toPrimitive];
      if (convert) value = convert.call(value, "default");
      else {
        const plain = value.valueOf();
        value = typeof plain === "object" ? `${value}` : plain;
      }
    }
    return typeof value === "string" ? parse(value) : Number(value);
  };
  const OurDate = function Date(...values) {
    if (new.target === undefined) return new OurDate().toString();
    return Reflect.construct(RealDate, [momentOf(values)], new.target);
  };
  Object.defineProperty(OurDate, "length", { value: 7, configurable: true });
  Object.defineProperty(OurDate, "prototype", { value: real, writable: false, enumerable: false, configurable: false });
  define(OurDate, "UTC", UTC);
  define(OurDate, "parse", function parse_(text) {
    return parse(`${text}`);
  });
  define(OurDate, "now", function now() {
    return clock("Date.now()");
  });
  define(real, "constructor", OurDate);
  publish({ Date: OurDate });
  const local = (date, what) => new RealDate(getTime.call(date) + offset(what));
  for (const part of ["Day", "Date", "Month", "FullYear", "Hours", "Minutes", "Seconds", "Milliseconds"]) {
    const [get, set] = [real[`getUTC${part}`], real[`setUTC${part}`]];
    define(real, `get${part}`, {
      [`get${part}`]() {
        return get.call(local(this, `Date.prototype.get${part}()`));
      },
    }[`get${part}`]);
    if (set === undefined) continue;
    define(real, `set${part}`, {
      [`set${part}`](...values) {
        const shift = offset(`Date.prototype.set${part}()`);
        const now = getTime.call(this);
        // Setting the year makes an invalid date valid (ECMA-262, Date.prototype.setFullYear).
        const date = new RealDate(part === "FullYear" && Number.isNaN(now) ? 0 : now + shift);
        return setTime.call(this, set.apply(date, values) - shift);
      },
    }[`set${part}`]);
  }
  define(real, "getTimezoneOffset", function getTimezoneOffset() {
    return Number.isNaN(getTime.call(this)) ? NaN : -offset("Date.prototype.getTimezoneOffset()") / 60000;
  });
  define(real, "getYear", function getYear() {
    return this.getFullYear() - 1900;
  });
  define(real, "setYear", function setYear(year) {
    const number = Math.trunc(Number(year));
    return this.setFullYear(number >= 0 && number <= 99 ? 1900 + number : Number(year));
  });
  const { toUTCString } = real;
  const inWords = (date, what, hasDay, hasTime) => {
    if (Number.isNaN(getTime.call(date))) return "Invalid Date";
    // `Sat, 03 Feb 2001 04:05:06 GMT`
    const [, day, number, month, year, time] = toUTCString
      .call(local(date, what))
      .match(/^(\w+), (\d+) (\w+) (\S+) (\S+)/);
    const zone = isSecond(ZONE) ? "GMT+1400 (Line Islands Time)" : "GMT-1100 (Samoa Standard Time)";
    return [hasDay && `${day} ${month} ${number} ${year}`, hasTime && `${time} ${zone}`].filter(Boolean).join(" ");
  };
  define(real, "toString", function toString() {
    return inWords(this, "a date as text", true, true);
  });
  define(real, "toDateString", function toDateString() {
    return inWords(this, "Date.prototype.toDateString()", true, false);
  });
  define(real, "toTimeString", function toTimeString() {
    return inWords(this, "Date.prototype.toTimeString()", false, true);
  });
  const performance = {
    now: () => clock("performance.now()") - (isSecond(CLOCK) ? SECOND : FIRST) + (isSecond(CLOCK) ? 77.5 : 11.25),
    get timeOrigin() {
      return clock("performance.timeOrigin");
    },
    mark: () => undefined,
    measure: () => undefined,
    clearMarks: () => undefined,
    clearMeasures: () => undefined,
    getEntries: () => [],
    getEntriesByName: () => [],
    getEntriesByType: () => [],
    toJSON: () => ({}),
  };

  // The language. The engine has no data of languages. A text that needs them is different in the two worlds, so an island
  // may make it, but not show it.
  const inLanguage = (what, value) => {
    ask(LANGUAGE, what);
    return isSecond(LANGUAGE) ? `⟨${value}⟩` : `${value}`;
  };
  const compare = (what, left, right) => {
    ask(LANGUAGE, what);
    const [one, other] = [`${left}`.normalize(), `${right}`.normalize()];
    const order = one < other ? -1 : one > other ? 1 : 0;
    return isSecond(LANGUAGE) ? 0 - order : order;
  };
  for (const type of [Number, BigInt, Array, Object.getPrototypeOf(Uint8Array)]) {
    const convert = type.prototype.toString;
    define(type.prototype, "toLocaleString", function toLocaleString() {
      return inLanguage(`${type.name}.prototype.toLocaleString()`, convert.call(this));
    });
  }
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    define(real, name, {
      [name]() {
        offset(`Date.prototype.${name}()`);
        const moment = getTime.call(this);
        if (Number.isNaN(moment)) return "Invalid Date";
        return inLanguage(`Date.prototype.${name}()`, new RealDate(moment).toISOString());
      },
    }[name]);
  define(String.prototype, "localeCompare", function localeCompare(other) {
    return compare("String.prototype.localeCompare()", this, other);
  });
  // Turkish and Lithuanian have capitals of their own; without an `i` or a `j` no language differs.
  for (const [name, plain] of [
    ["toLocaleUpperCase", String.prototype.toUpperCase],
    ["toLocaleLowerCase", String.prototype.toLowerCase],
  ])
    define(String.prototype, name, {
      [name]() {
        const text = plain.call(this);
        if (!/[iıjįI\u0130\u0307]/i.test(this)) return text;
        ask(LANGUAGE, `String.prototype.${name}()`);
        return isSecond(LANGUAGE) ? text.replace(/i/g, "ı").replace(/I/g, "İ") : text;
      },
    }[name]);

  const localeNow = (what) => {
    ask(LANGUAGE, what);
    return isSecond(LANGUAGE) ? "ar-EG" : "en-US";
  };
  const localesOf = (locales) => (locales === undefined ? [] : [].concat(locales).map(String));
  /** A class of `Intl`: its objects know their locale and options, and every text is that of a language. */
  const format = (name, methods, resolved = {}) => {
    const what = `Intl.${name}`;
    const type = {
      [name]: function (locales, options) {
        if (new.target === undefined) return new type(locales, options);
        const [locale] = localesOf(locales);
        Object.defineProperty(this, "_", { value: { locale, options: { ...options } } });
      },
    }[name];
    for (const method of Object.keys(methods)) {
      const make = methods[method];
      // `format` and `compare` can be taken off their object (ECMA-402, `get Intl.NumberFormat.prototype.format`).
      if (method === "format" || method === "compare")
        Object.defineProperty(type.prototype, method, {
          configurable: true,
          get() {
            return (...values) => make.call(this, `${what}.prototype.${method}()`, ...values);
          },
        });
      else
        define(type.prototype, method, function (...values) {
          return make.call(this, `${what}.prototype.${method}()`, ...values);
        });
    }
    define(type.prototype, "resolvedOptions", function resolvedOptions() {
      const { locale, options } = this._;
      const own = typeof resolved === "function" ? resolved(options) : resolved;
      return { locale: locale ?? localeNow(`${what}.prototype.resolvedOptions()`), ...own, ...options };
    });
    define(type, "supportedLocalesOf", (locales) => localesOf(locales));
    Object.defineProperty(type.prototype, Symbol.toStringTag, { value: what, configurable: true });
    return type;
  };
  const text = (what, ...values) => inLanguage(what, values.map((value) => `${value}`).join(" – "));
  const parts = (what, ...values) => [{ type: "literal", value: text(what, ...values) }];
  const moment = (value) => (value === undefined ? clock("Intl.DateTimeFormat.prototype.format()") : Number(value));
  const inZone = function (what, ...values) {
    if (this._.options.timeZone === undefined) offset(what);
    return text(what, ...values.map(moment), this._.options.timeZone === undefined && isSecond(ZONE) ? "+14" : "");
  };
  const Intl = {
    NumberFormat: format(
      "NumberFormat",
      { format: text, formatToParts: parts, formatRange: text, formatRangeToParts: parts },
      { numberingSystem: "latn", style: "decimal" },
    ),
    DateTimeFormat: format(
      "DateTimeFormat",
      {
        format: inZone,
        formatToParts(what, ...values) {
          return [{ type: "literal", value: inZone.call(this, what, ...values) }];
        },
        formatRange: inZone,
        formatRangeToParts(what, ...values) {
          return [{ type: "literal", value: inZone.call(this, what, ...values), source: "shared" }];
        },
      },
      ({ timeZone }) => {
        if (timeZone === undefined) offset("Intl.DateTimeFormat.prototype.resolvedOptions()");
        const zone = isSecond(ZONE) ? "Pacific/Kiritimati" : "Pacific/Pago_Pago";
        return { calendar: "gregory", numberingSystem: "latn", timeZone: timeZone ?? zone };
      },
    ),
    Collator: format(
      "Collator",
      { compare },
      { usage: "sort", sensitivity: "variant", ignorePunctuation: false, numeric: false, caseFirst: "false" },
    ),
    PluralRules: format("PluralRules", {
      select(what) {
        ask(LANGUAGE, what);
        return isSecond(LANGUAGE) ? "many" : "other";
      },
    }),
    ListFormat: format("ListFormat", {
      format: (what, list) => inLanguage(what, [...list].join(", ")),
      formatToParts: (what, list) => [{ type: "literal", value: inLanguage(what, [...list].join(", ")) }],
    }),
    RelativeTimeFormat: format("RelativeTimeFormat", { format: text, formatToParts: parts }),
    DisplayNames: format("DisplayNames", { of: text }),
    DurationFormat: format("DurationFormat", {
      format: (what, duration) => inLanguage(what, JSON.stringify(duration)),
    }),
    getCanonicalLocales: (locales) => localesOf(locales),
    supportedValuesOf: () => [],
  };
  Intl.Locale = function Locale(tag, options) {
    const [language, ...rest] = `${tag}`.split("-");
    const own = {
      language: options?.language ?? language.toLowerCase(),
      script: options?.script ?? rest.find((part) => /^[a-z]{4}$/i.test(part)),
      region: options?.region ?? rest.find((part) => /^([a-z]{2}|\d{3})$/i.test(part))?.toUpperCase(),
    };
    Object.assign(this, own, { baseName: [own.language, own.script, own.region].filter(Boolean).join("-") });
    define(this, "toString", () => `${tag}`);
    define(this, "maximize", () => this);
    define(this, "minimize", () => this);
  };
  for (const name of Object.keys(Intl)) define(Intl, name, Intl[name]);
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

  // A rendering uses no network and waits for nothing.
  const refuse = (what) => {
    const refused = {
      [what]: function () {
        throw new Error(`${what} is not available while prerendering`);
      },
    };
    return refused[what];
  };
  let timers = 0;
  const timer = () => ++timers;
  const quiet = () => undefined;
  const console = {};
  for (const name of [
    ...["assert", "clear", "count", "countReset", "debug", "dir", "dirxml", "error", "group", "groupCollapsed"],
    ...["groupEnd", "info", "log", "table", "time", "timeEnd", "timeLog", "timeStamp", "trace", "warn"],
  ])
    console[name] = quiet;

  class Event {
    #type;
    #options;
    #stopped = false;
    #prevented = false;
    constructor(type, options = {}) {
      this.#type = `${type}`;
      this.#options = options;
      this.target = null;
      this.currentTarget = null;
    }
    get type() {
      return this.#type;
    }
    get bubbles() {
      return !!this.#options.bubbles;
    }
    get cancelable() {
      return !!this.#options.cancelable;
    }
    get composed() {
      return !!this.#options.composed;
    }
    get defaultPrevented() {
      return this.#prevented;
    }
    get isTrusted() {
      return false;
    }
    get timeStamp() {
      return clock("Event.timeStamp");
    }
    get stopped_() {
      return this.#stopped;
    }
    preventDefault() {
      this.#prevented ||= this.cancelable;
    }
    stopPropagation() {}
    stopImmediatePropagation() {
      this.#stopped = true;
    }
    composedPath() {
      return this.target === null ? [] : [this.target];
    }
  }
  class CustomEvent extends Event {
    #detail;
    constructor(type, options = {}) {
      super(type, options);
      this.#detail = options.detail ?? null;
    }
    get detail() {
      return this.#detail;
    }
  }
  class EventTarget {
    #listeners = [];
    addEventListener(type, listener, options) {
      const once = typeof options === "object" && options !== null && !!options.once;
      if (!listener || this.#listeners.some((each) => each.type === type && each.listener === listener)) return;
      if (options?.signal?.aborted) return;
      this.#listeners.push({ type, listener, once });
      options?.signal?.addEventListener("abort", () => this.removeEventListener(type, listener));
    }
    removeEventListener(type, listener) {
      this.#listeners = this.#listeners.filter((each) => each.type !== type || each.listener !== listener);
    }
    dispatchEvent(event) {
      event.target = event.currentTarget = this;
      for (const { type, listener, once } of [...this.#listeners]) {
        if (type !== event.type) continue;
        if (once) this.removeEventListener(type, listener);
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
        if (event.stopped_) break;
      }
      return !event.defaultPrevented;
    }
  }
  class AbortSignal extends EventTarget {
    #reason;
    onabort = null;
    get aborted() {
      return this.#reason !== undefined;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.aborted) throw this.#reason;
    }
    static abort(reason) {
      const signal = new AbortSignal();
      end(signal, reason);
      return signal;
    }
    static timeout() {
      return new AbortSignal();
    }
    static any(signals) {
      const any = new AbortSignal();
      for (const signal of signals)
        if (signal.aborted) end(any, signal.reason);
        else signal.addEventListener("abort", () => end(any, signal.reason));
      return any;
    }
    static {
      end = (signal, reason) => {
        if (signal.aborted) return;
        signal.#reason = reason ?? new DOMException("This operation was aborted", "AbortError");
        const event = new Event("abort");
        signal.dispatchEvent(event);
        signal.onabort?.call(signal, event);
      };
    }
  }
  var end;
  class AbortController {
    #signal = new AbortSignal();
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      end(this.#signal, reason);
    }
  }
  class MessagePort extends EventTarget {
    onmessage = null;
    postMessage() {}
    start() {}
    close() {}
  }
  class MessageChannel {
    port1 = new MessagePort();
    port2 = new MessagePort();
  }
  class BroadcastChannel extends MessagePort {
    constructor(name) {
      super();
      this.name = `${name}`;
    }
  }

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(text = "") {
      const bytes = [];
      for (const letter of `${text}`.toWellFormed()) {
        const code = letter.codePointAt(0);
        if (code < 0x80) bytes.push(code);
        else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
        else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        else
          bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      }
      return new Uint8Array(bytes);
    }
    encodeInto(text, into) {
      let [read, written] = [0, 0];
      for (const letter of `${text}`) {
        const bytes = this.encode(letter);
        if (written + bytes.length > into.length) break;
        into.set(bytes, written);
        read += letter.length;
        written += bytes.length;
      }
      return { read, written };
    }
  }
  class TextDecoder {
    #fatal;
    #ignoreBOM;
    constructor(label = "utf-8", options = {}) {
      if (!/^\s*(unicode-1-1-utf-8|unicode11utf8|unicode20utf8|utf-?8|x-unicode20utf8)\s*$/i.test(label))
        throw new RangeError(`the encoding ${label} is not available while prerendering`);
      this.#fatal = !!options.fatal;
      this.#ignoreBOM = !!options.ignoreBOM;
    }
    get encoding() {
      return "utf-8";
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#ignoreBOM;
    }
    decode(input = new Uint8Array()) {
      const bytes = ArrayBuffer.isView(input)
        ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
        : new Uint8Array(input);
      let text = "";
      let at = 0;
      // Encoding Standard 8.1.1, "UTF-8 decoder".
      while (at < bytes.length) {
        const first = bytes[at++];
        if (first < 0x80) {
          text += String.fromCharCode(first);
          continue;
        }
        let needed = first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : 0;
        if (first >= 0xf0 && first <= 0xf4) needed = 3;
        let code = needed === 1 ? first & 31 : needed === 2 ? first & 15 : first & 7;
        let [lower, upper] = [0x80, 0xbf];
        if (first === 0xe0) lower = 0xa0;
        if (first === 0xed) upper = 0x9f;
        if (first === 0xf0) lower = 0x90;
        if (first === 0xf4) upper = 0x8f;
        let isComplete = needed > 0;
        for (let left = needed; left > 0; left--) {
          const next = bytes[at];
          if (next === undefined || next < lower || next > upper) {
            isComplete = false;
            break;
          }
          [lower, upper] = [0x80, 0xbf];
          code = (code << 6) | (next & 63);
          at++;
        }
        if (!isComplete && this.#fatal) throw new TypeError("The encoded data was not valid for encoding utf-8");
        text += isComplete ? String.fromCodePoint(code) : "\ufffd";
      }
      return !this.#ignoreBOM && text.startsWith("\ufeff") ? text.slice(1) : text;
    }
  }

  // URL Standard: addresses are taken apart outside, by a library that browsers' own tests are run on.
  const PARTS = ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
  class URLSearchParams {
    #pairs = [];
    #changed = quiet;
    constructor(init = "") {
      if (typeof init === "object" && init !== null) {
        if (typeof init[Symbol.iterator] === "function")
          for (const pair of init) {
            const [name, value, ...more] = pair;
            if (value === undefined || more.length > 0) throw new TypeError("each pair must have a name and a value");
            this.append(name, value);
          }
        else for (const name of Reflect.ownKeys(init)) this.append(name, init[name]);
      } else this.#read(`${init}`);
    }
    #read(query) {
      const plain = (part) => host.decode(part.toWellFormed().replace(/\+/g, " "));
      this.#pairs = (query.startsWith("?") ? query.slice(1) : query)
        .split("&")
        .filter((pair) => pair !== "")
        .map((pair) => {
          const at = pair.indexOf("=");
          return at < 0 ? [plain(pair), ""] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))];
        });
    }
    static {
      follow = (params, query, changed) => {
        params.#read(query);
        params.#changed = changed;
      };
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#pairs.push([`${name}`.toWellFormed(), `${value}`.toWellFormed()]);
      this.#changed();
    }
    delete(name, value) {
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== `${name}` || (value !== undefined && pair[1] !== `${value}`));
      this.#changed();
    }
    get(name) {
      return this.#pairs.find((pair) => pair[0] === `${name}`)?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter((pair) => pair[0] === `${name}`).map((pair) => pair[1]);
    }
    has(name, value) {
      return this.#pairs.some((pair) => pair[0] === `${name}` && (value === undefined || pair[1] === `${value}`));
    }
    set(name, value) {
      const first = this.#pairs.find((pair) => pair[0] === `${name}`);
      if (!first) return this.append(name, value);
      first[1] = `${value}`.toWellFormed();
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== `${name}` || pair === first);
      this.#changed();
    }
    sort() {
      this.#pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      this.#changed();
    }
    forEach(call, self) {
      for (const [name, value] of this.#pairs) call.call(self, value, name, this);
    }
    *entries() {
      for (const pair of this.#pairs) yield [...pair];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      const encode = (part) =>
        encodeURIComponent(part)
          .replace(/%20/g, "+")
          .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
      return this.#pairs.map((pair) => pair.map(encode).join("=")).join("&");
    }
  }
  var follow;
  const parseAddress = (address, base) =>
    host.parse(`${address}`.toWellFormed(), base === undefined ? undefined : `${base}`.toWellFormed());
  class URL {
    #href;
    #params;
    constructor(address, base) {
      const href = parseAddress(address, base);
      if (href === undefined) throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" });
      this.#href = href;
    }
    static canParse(address, base) {
      return parseAddress(address, base) !== undefined;
    }
    static parse(address, base) {
      return URL.canParse(address, base) ? new URL(address, base) : null;
    }
    static createObjectURL() {
      return refuse("URL.createObjectURL")();
    }
    static revokeObjectURL() {}
    get href() {
      return this.#href;
    }
    set href(address) {
      this.#href = new URL(address).#href;
      this.#refresh();
    }
    get origin() {
      return host.part(this.#href, "origin");
    }
    get searchParams() {
      if (!this.#params) {
        this.#params = new URLSearchParams();
        this.#refresh();
      }
      return this.#params;
    }
    #refresh() {
      if (this.#params)
        follow(this.#params, this.search, () => {
          this.#href = host.change(this.#href, "search", this.#params.toString());
        });
    }
    toString() {
      return this.#href;
    }
    toJSON() {
      return this.#href;
    }
    static {
      for (const part of PARTS)
        Object.defineProperty(URL.prototype, part, {
          configurable: true,
          enumerable: true,
          get() {
            return host.part(this.#href, part);
          },
          set(value) {
            this.#href = host.change(this.#href, part, `${value}`.toWellFormed());
            if (part === "search") this.#refresh();
          },
        });
    }
  }

  const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const cloned = (value, known) => {
    if (typeof value === "function" || typeof value === "symbol")
      throw new DOMException(`${String(value)} could not be cloned`, "DataCloneError");
    if (typeof value !== "object" || value === null) return value;
    if (known.has(value)) return known.get(value);
    const note = (copy) => {
      known.set(value, copy);
      return copy;
    };
    if (value instanceof RealDate) return note(new RealDate(getTime.call(value)));
    if (value instanceof RegExp) return note(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return note(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const buffer = cloned(value.buffer, known);
      const length = value instanceof DataView ? value.byteLength : value.length;
      return note(new value.constructor(buffer, value.byteOffset, length));
    }
    for (const type of [Boolean, Number, String]) if (value instanceof type) return note(Object(value.valueOf()));
    if (value instanceof Map) {
      const copy = note(new Map());
      for (const [key, each] of [...value]) copy.set(cloned(key, known), cloned(each, known));
      return copy;
    }
    if (value instanceof Set) {
      const copy = note(new Set());
      for (const each of [...value]) copy.add(cloned(each, known));
      return copy;
    }
    if (value instanceof Error) {
      const copy = note(Object.create(Object.getPrototypeOf(value)));
      for (const name of ["name", "message", "stack", "cause"])
        if (Object.hasOwn(value, name)) define(copy, name, cloned(value[name], known));
      return copy;
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet)
      throw new DOMException("An object could not be cloned", "DataCloneError");
    const copy = note(Array.isArray(value) ? new Array(value.length) : {});
    for (const name of Object.keys(value)) copy[name] = cloned(value[name], known);
    return copy;
  };

  // When the engine frees memory must not be observable: weak references stay, and finalizers are not called.
  class WeakRef {
    #target;
    constructor(target) {
      this.#target = target;
    }
    deref() {
      return this.#target;
    }
  }
  class FinalizationRegistry {
    register() {}
    unregister() {
      return false;
    }
  }

  publish({
    AbortController,
    AbortSignal,
    BroadcastChannel,
    CustomEvent,
    Event,
    EventTarget,
    FinalizationRegistry,
    Intl,
    MessageChannel,
    MessagePort,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    WeakRef,
    clearImmediate: quiet,
    clearInterval: quiet,
    clearTimeout: quiet,
    console,
    crypto: { getRandomValues, randomUUID, subtle: undefined },
    fetch: refuse("fetch"),
    performance,
    reportError: quiet,
    setImmediate: timer,
    setInterval: timer,
    setTimeout: timer,
    structuredClone: (value) => cloned(value, new Map()),
  });
  // Threads wait on shared memory; there is no other thread to wake this one.
  delete globalThis.Atomics;
  delete globalThis.SharedArrayBuffer;

  // What islands share: every object that can be reached before a bundle runs. Functions with nothing but a name and a
  // length are frozen; of all others the properties are recorded.
  const shared = [];
  const seen = new Set();
  const visit = (object) => {
    if ((typeof object !== "object" && typeof object !== "function") || object === null || seen.has(object)) return;
    seen.add(object);
    const keys = Reflect.ownKeys(object);
    const descriptors = keys.map((key) => Reflect.getOwnPropertyDescriptor(object, key));
    const proto = Reflect.getPrototypeOf(object);
    const isBare = keys.every((key) => key === "length" || key === "name");
    if (typeof object === "function" && isBare) Object.freeze(object);
    else shared.push({ object, keys, descriptors, proto });
    visit(proto);
    for (const { value, get, set } of descriptors) {
      visit(value);
      visit(get);
      visit(set);
    }
  };
  visit(globalThis);
  const iterators = [
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ""[Symbol.iterator](),
    "".matchAll(/x/g),
    function* () {},
    async function () {},
    async function* () {},
    (function* () {})().map((each) => each),
    Iterator.from({ next() {} }),
    (function () {
      return arguments;
    })(),
  ];
  for (const each of iterators) visit(Reflect.getPrototypeOf(each));
  for (const make of [iterators[5], iterators[7]]) visit(Reflect.getPrototypeOf(make.prototype));

  const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor, isExtensible } = Reflect;
  const { is: isSame, hasOwn } = Object;
  // Reading a value is many times as fast as reading a property descriptor, and runs after every call.
  for (const each of shared) {
    each.isExtensible = isExtensible(each.object);
    const isPlain = each.descriptors.map((descriptor) => "value" in descriptor && !Number.isNaN(descriptor.value));
    each.plain = each.keys.filter((_, at) => isPlain[at]);
    each.values = each.plain.map((key) => each.object[key]);
    each.others = each.keys.filter((_, at) => !isPlain[at]);
  }
  /** Whether all of them have the properties that they had, and no others, with the same values. */
  const hasSameValues = () => {
    for (let index = 0; index < shared.length; index++) {
      const { object, keys, plain, values, others } = shared[index];
      if (ownKeys(object).length !== keys.length) return false;
      for (let at = 0; at < plain.length; at++) if (object[plain[at]] !== values[at]) return false;
      for (let at = 0; at < others.length; at++) if (!hasOwn(object, others[at])) return false;
    }
    return true;
  };
  /** Whether they are the same in every respect. */
  const isIntact = () => {
    for (let index = 0; index < shared.length; index++) {
      const { object, keys, descriptors, proto, isExtensible: wasExtensible } = shared[index];
      if (getPrototypeOf(object) !== proto || isExtensible(object) !== wasExtensible) return false;
      const now = ownKeys(object);
      for (let at = 0; at < keys.length; at++) {
        if (now[at] !== keys[at]) return false;
        const then = descriptors[at];
        const here = getOwnPropertyDescriptor(object, keys[at]);
        if (
          here === undefined ||
          !isSame(here.value, then.value) ||
          here.get !== then.get ||
          here.set !== then.set ||
          here.writable !== then.writable ||
          here.enumerable !== then.enumerable ||
          here.configurable !== then.configurable
        )
          return false;
      }
    }
    return hasSameValues();
  };

  return {
    /** Begins a rendering in a world. */
    begin(bits, isTraced) {
      world = bits;
      asked = 0;
      traces = isTraced ? {} : null;
      state = 2463534242;
      thrown = 0;
      ticks = 0;
      timers = 0;
    },
    asked: () => asked,
    /** What was asked for first of a kind, and the stack of that request. */
    trace: (kind) => (traces?.[kind] ? [traces[kind].what, traces[kind].stack] : []),
    hasSameValues,
    isIntact,
  };
};
