// Runs before the bundle of an island, once in each engine. It gives islands the globals that browsers and servers share,
// and takes whatever differs from visitor to visitor (chance, the clock, the time zone, the language) from the *environment* that
// the build chooses. The build renders an island in one environment and, if it asked for any of this, in others where
// everything is different. It also records the objects that islands share, and reports whether one was changed.
//
// The value of this script is the function below. `host` has what is done outside: parsing addresses, and reading the
// scripts of the packages that know languages.
0, function (host) {
  "use strict";
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  const publish = (members) => {
    for (const name of Object.keys(members)) define(globalThis, name, members[name]);
  };

  // The environment: its number, and as bits which of the four kinds are as in it. The others are as in the first environment.
  const CHANCE = 1;
  const CLOCK = 2;
  const ZONE = 4;
  const LANGUAGE = 8;
  let environment = 0;
  let kinds = 0;
  let asked = 0;
  let traces = null;
  // The class of `Intl`, the locale and the time zone of the text that is being made, if it is one.
  let wanted = [];
  const environmentOf = (kind) => ((kinds & kind) !== 0 ? environment : 0);
  const ask = (kind, what) => {
    asked |= kind;
    if (traces !== null && traces[kind] === undefined) traces[kind] = { what, stack: new Error().stack, wanted };
  };

  // Chance: xorshift32 (Marsaglia, 2003). The numbers of the second environment are those of the first, mirrored at a half, and
  // seven of eight lie in the outer quarters: a coin or a die that is thrown in both never shows the same. A part that few
  // visitors get has a number near 0 or near 1 to it, so three of four are near 0 in one of the next two environments and near 1
  // in the other, and near a half in the last. The fourth may be anything, so that a loop which waits for one ends.
  let state = 1;
  let thrown = 0;
  const bits = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const random = () => {
    let value = ((bits() >>> 5) * 67108864 + (bits() >>> 6)) / 9007199254740992;
    const number = environmentOf(CHANCE);
    const turn = thrown++ % 32;
    if (number > 1) {
      if (turn >= 24) return value;
      if (number > 3) return 0.5 + (value - 0.5) / 16;
      value /= 1024;
      return number % 2 === turn % 2 ? value : 1 - 2 ** -53 - value;
    }
    if (turn % 8 !== 7) {
      value = value % 0.5;
      if (value >= 0.25) value += 0.5;
    }
    return number === 1 ? 1 - 2 ** -53 - value : value;
  };
  define(Math, "random", function random_() {
    ask(CHANCE, "Math.random()");
    return random();
  });
  const getRandomValues = (array) => {
    ask(CHANCE, "crypto.getRandomValues()");
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const isExtreme = environmentOf(CHANCE) > 1;
    // Names made of bytes near 0 would be the same names. The first element alone is taken for a number.
    const number = isExtreme ? random() : 0;
    for (let index = 0; index < bytes.length; index++)
      bytes[index] = isExtreme && index >= array.BYTES_PER_ELEMENT ? bits() : Math.floor((isExtreme ? number : random()) * 256);
    return array;
  };
  const randomUUID = () => {
    const bytes = getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  // The clock. The first two environments are a lifetime apart, and far from any date that a component compares with. What
  // depends on the day, the hour or the season gets a working day in the morning, a Saturday at night and a Sunday at noon.
  // Each reading is later than the last, so that a loop which waits for it ends.
  const MOMENTS = [
    981173106007, // 2001-02-03T04:05:06.007Z, a Saturday, and in its zone a Friday in the afternoon
    4001944881678, // 2096-10-24T19:21:21.678Z, a Wednesday, and in its zone a Thursday in the morning
    1924333429123, // 2030-12-24T09:03:49.123Z, a Tuesday
    1815277421456, // 2027-07-11T03:43:41.456Z, a Sunday, and in its zone still Saturday at night
    1867925707789, // 2029-03-11T12:15:07.789Z, a Sunday at noon
    2005072249456, // 2033-07-15T20:30:49.456Z, a Friday in the evening
  ];
  let ticks = 0;
  let given = null;
  const momentNow = () => (given !== null && (kinds & CLOCK) !== 0 ? given : MOMENTS[environmentOf(CLOCK)]);
  const clock = (what) => {
    ask(CLOCK, what);
    return momentNow() + (environmentOf(CLOCK) === 1 ? 3 : 1) * ticks++;
  };
  // A component that shows something from one date to another, both near, is the same in all of these environments. So the build
  // also renders it at the dates that it names. What is near the clock of the first environment was made of that.
  let dates = [];
  const note = (moment) => {
    const isNamed = Math.abs(moment - MOMENTS[0]) > 400 * 86400000 && Math.abs(moment) < 8.64e15 - 86400000;
    if (dates.length < 4 && isNamed && !dates.includes(moment)) dates.push(moment);
    return moment;
  };

  // The time zone: every moment has another local day in the second environment than in the first.
  const ZONES = [
    { hours: -11, name: "Pacific/Pago_Pago", written: "GMT-1100 (Samoa Standard Time)" },
    { hours: 14, name: "Pacific/Kiritimati", written: "GMT+1400 (Line Islands Time)" },
    { hours: 1, name: "Europe/Berlin", written: "GMT+0100 (Central European Standard Time)" },
    { hours: -5, name: "America/New_York", written: "GMT-0500 (Eastern Standard Time)" },
    { hours: 0, name: "Europe/London", written: "GMT+0000 (Greenwich Mean Time)" },
    { hours: 9, name: "Asia/Tokyo", written: "GMT+0900 (Japan Standard Time)" },
  ];
  const zone = () => ZONES[environmentOf(ZONE)];
  const offset = (what) => {
    ask(ZONE, what);
    return zone().hours * 3600000;
  };
  const RealDate = Date;
  const real = RealDate.prototype;
  const { getTime, setTime } = real;
  const { parse: parseReal, UTC } = RealDate;
  // A day alone is in UTC, an hour only with an offset (ECMA-262, "Date Time String Format").
  const isoDay = /^([+-]\d\d)?\d{4}(-\d\d(-\d\d)?)?$/;
  // As `toLocaleString("en-US")` writes it, which all browsers read, and much code does to get at another zone.
  const american = /^(\d+)\/(\d+)\/(\d{4})(?:,? (\d+):(\d\d)(?::(\d\d))?\s*([AP]M)?)?$/i;
  const parseAmerican = ([, month, day, year, hours = 0, minutes = 0, seconds = 0, half]) => {
    const hour = half ? (hours % 12) + (/p/i.test(half) ? 12 : 0) : hours;
    return UTC(year, month - 1, day, hour, minutes, seconds);
  };
  const withOffset = /(Z|GMT|UTC|UT|[+-]\d\d:?\d\d)(\s*\([^)]*\))?\s*$/i;
  const parse = (text) => {
    if (isoDay.test(text) || withOffset.test(text)) return note(parseReal(text));
    const isIso = /^\d{4}-\d\d-\d\dT/.test(text);
    const parts = text.match(american);
    const moment = parts ? parseAmerican(parts) : parseReal(isIso ? `${text}Z` : `${text} UTC`);
    return Number.isNaN(moment) ? moment : note(moment - offset(`new Date(${JSON.stringify(text)})`));
  };
  const momentOf = (values) => {
    if (values.length === 0) return clock("new Date()");
    if (values.length > 1) return note(UTC(...values) - offset("new Date(year, month, …)"));
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
  define(OurDate, "UTC", {
    UTC(...values) {
      return note(UTC(...values));
    },
  }.UTC);
  Object.defineProperty(OurDate.UTC, "length", { value: 7, configurable: true });
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
    const timeOfDay = `${time} ${zone().written}`;
    return [hasDay && `${day} ${month} ${number} ${year}`, hasTime && timeOfDay].filter(Boolean).join(" ");
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
    now: () => clock("performance.now()") - momentNow() + [11.25, 77.5, 0.5, 9000.25, 180.75, 33][environmentOf(CLOCK)],
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

  // The language. The engine has no data of languages. A text that names its locale and its zone is made by packages that
  // the site has for it (`texts.js`), and is then the same in each environment. They are read by the first such call, and see
  // nothing of the environments: neither this clock nor this `Intl`.
  let answer;
  const answered = (name, { locale, options, required }, method, values, make) => {
    if (locale !== undefined) {
      if (answer === undefined) {
        const own = { getCanonicalLocales: (tags) => [].concat(tags ?? []), load: host.texts };
        answer = () => undefined;
        try {
          host.texts("texts")?.(own);
          answer = own.answer ?? answer;
        } catch {
          // Packages of another version than those that are known.
        }
      }
      const reply = answer(name, locale, options, required, method, values);
      if (reply !== undefined) return reply.value;
    }
    wanted = [name, locale ?? "", `${options.timeZone ?? ""}`];
    try {
      return make();
    } finally {
      wanted = [];
    }
  };
  /** A locale and options as they are given to a class or a method. */
  const asGiven = (locales, options, required) => {
    if (options === null) throw new TypeError("null is no object with options");
    const [tag] = localesOf(locales);
    return { locale: tag === undefined ? undefined : canonicalOr(tag), options: { ...options }, required };
  };
  // Any other text is different in each environment, so an island may make it, but not show it. A condition may ask for the form
  // alone: for a separator, a plural, `AM`. So three environments write about as English does, which code reads again, one with
  // marks around, one as much of Europe does, and one with every mark that is looked for.
  const english = (number, isOrdinal) => {
    if (!isOrdinal) return number === 1 ? "one" : "other";
    const isTeen = number % 100 > 10 && number % 100 < 14;
    return (!isTeen && ["other", "one", "two", "few"][number % 10]) || "other";
  };
  const ENGLISH = {
    ...{ tag: "en-US", region: "US", script: "Latn", direction: "ltr", firstDay: 7, calendar: "gregory", numbers: "latn" },
    ...{ isEnglish: true, hour12: true, decimal: ".", group: ",", categories: ["one", "other"], plural: english },
    write: (text) => text,
  };
  const LANGUAGES = [
    ENGLISH,
    {
      ...{ tag: "ar-EG", region: "EG", script: "Arab", direction: "rtl", firstDay: 6, calendar: "islamic", numbers: "arab" },
      ...{ hour12: false, decimal: "٫", group: "٬", categories: ["other"], plural: () => "other" },
      write: (text) => `⟨${text}⟩`,
    },
    ENGLISH,
    {
      ...{ tag: "de-DE", region: "DE", script: "Latn", direction: "ltr", firstDay: 1, calendar: "gregory", numbers: "latn" },
      ...{ hour12: false, decimal: ",", group: ".", categories: ["few", "one", "other"] },
      plural: (number) => (number === 0 || number % 10 === 1 ? "one" : "few"),
      write: (text) => text,
    },
    {
      ...{ tag: "th-TH", region: "TH", script: "Thai", direction: "ltr", firstDay: 7, calendar: "buddhist", numbers: "thai" },
      ...{ hour12: true, decimal: ".", group: "’", categories: ["zero", "two", "many", "other"] },
      plural: (number) => ({ 0: "zero", 2: "two" })[number] ?? "many",
      write: (text) => `$€%${text} ,.:/-– AM PM am pm K M $ € %`,
    },
    ENGLISH,
  ];
  const language = () => LANGUAGES[environmentOf(LANGUAGE)];
  const inLanguage = (what, value) => {
    ask(LANGUAGE, what);
    return language().write(`${value}`);
  };
  const joined = (parts) => parts.map(({ value }) => value).join("");
  /** A text as the options of a comparison have it. */
  const folded = (text, { sensitivity, usage, numeric, ignorePunctuation }) => {
    const kind = sensitivity ?? (usage === "search" ? "base" : "variant");
    let plain = `${text}`.normalize("NFD");
    if (kind === "base" || kind === "case") plain = plain.replace(/\p{M}/gu, "");
    if (kind === "base" || kind === "accent") plain = plain.toLowerCase();
    if (ignorePunctuation) plain = plain.replace(/[\p{P}\s]/gu, "");
    return numeric ? plain.replace(/\d+/g, (digits) => digits.replace(/^0+/, "").padStart(20, "0")) : plain;
  };
  const compare = (what, left, right, options) => {
    ask(LANGUAGE, what);
    const { isEnglish } = language();
    const [one, other] = [left, right].map((text) => (isEnglish ? folded(text, options) : `${text}`.normalize()));
    const order = one < other ? -1 : one > other ? 1 : 0;
    return isEnglish ? order : 0 - order;
  };
  const SYMBOLS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥" };
  const digitsOf = ({ style, notation, minimumFractionDigits, maximumFractionDigits }) => {
    const usual = style === "currency" ? 2 : 0;
    const least = minimumFractionDigits ?? Math.min(usual, maximumFractionDigits ?? usual);
    const most = maximumFractionDigits ?? Math.max(least, style === "percent" || notation === "compact" ? 0 : usual || 3);
    return [least, most];
  };
  /** The parts of a number (ECMA-402, PartitionNumberPattern), about. */
  const numberParts = (value, options = {}) => {
    const { isEnglish, decimal, group } = language();
    const { style, currency, unit } = options;
    const part = (type, value) => ({ type, value });
    const number = Number(value);
    if (Number.isNaN(number)) return [part("nan", isEnglish ? "NaN" : "?")];
    let size = Math.abs(style === "percent" ? number * 100 : number);
    let [least, most] = digitsOf(options);
    let suffix = "";
    if (options.notation === "compact") {
      const step = [
        [1e12, "T"],
        [1e9, "B"],
        [1e6, "M"],
        [1e3, "K"],
      ].find(([limit]) => size >= limit);
      if (step) {
        [size, suffix] = [size / step[0], step[1]];
        if (size < 10) most = Math.max(most, 1);
      }
    }
    let [whole, fraction = ""] = size.toFixed(Math.min(Math.max(most, 0), 100)).split(".");
    while (fraction.length > least && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
    if (options.minimumIntegerDigits) whole = whole.padStart(options.minimumIntegerDigits, "0");
    const parts = number < 0 ? [part("minusSign", isEnglish ? "-" : "−")] : [];
    const symbol = style === "currency" && part("currency", (isEnglish && SYMBOLS[currency]) || `${currency}`);
    if (symbol && isEnglish) parts.push(symbol);
    if (number === Infinity || number === -Infinity) parts.push(part("infinity", "∞"));
    else {
      const groups = options.useGrouping === false ? [whole] : whole.replace(/\B(?=(\d{3})+$)/g, " ").split(" ");
      groups.forEach((digits, index) => {
        if (index > 0) parts.push(part("group", group));
        parts.push(part("integer", digits));
      });
      if (fraction) parts.push(part("decimal", decimal), part("fraction", fraction));
    }
    if (suffix) parts.push(part("compact", isEnglish ? suffix : ` ${suffix}.`));
    if (symbol && !isEnglish) parts.push(part("literal", "\u00a0"), symbol);
    if (style === "percent") parts.push(part("percentSign", isEnglish ? "%" : " %"));
    if (style === "unit") parts.push(part("literal", " "), part("unit", isEnglish ? `${unit}` : `${unit}.`));
    return parts;
  };
  const numberText = (what, value, options) => inLanguage(what, joined(numberParts(value, options)));
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
  const DAY_STYLES = {
    full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
    long: { year: "numeric", month: "long", day: "numeric" },
    medium: { year: "numeric", month: "short", day: "numeric" },
    short: { year: "2-digit", month: "numeric", day: "numeric" },
  };
  const FIELDS = ["weekday", "year", "month", "day", "dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
  const NUMERIC_DAY = { year: "numeric", month: "numeric", day: "numeric" };
  const NUMERIC_TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
  /** The fields that options ask for, with those of a method if they ask for none. */
  const fieldsOf = (options, usual = NUMERIC_DAY) => {
    const { dateStyle, timeStyle } = options;
    if (dateStyle || timeStyle) {
      const { hour, minute, second } = NUMERIC_TIME;
      const time = timeStyle === "short" ? { hour, minute } : { hour, minute, second };
      return { ...DAY_STYLES[dateStyle], ...(timeStyle ? time : {}) };
    }
    return FIELDS.some((field) => options[field] !== undefined) ? options : { ...usual, ...options };
  };
  const hour12Of = ({ hour12, hourCycle }) => hour12 ?? (hourCycle ? /^h1[12]$/.test(hourCycle) : language().hour12);
  /** The parts of a date (ECMA-402, PartitionDateTimePattern), about. What is not in UTC is in the zone of the environment. */
  const dateParts = (what, time, options, usual) => {
    const shift = options.timeZone === undefined ? offset(what) : 0;
    const { isEnglish, calendar } = language();
    const date = new RealDate(time + shift);
    const fields = fieldsOf(options, usual);
    const digits = (type, number, style, separator) => {
      if (style === undefined) return [];
      const text = style === "2-digit" ? `${number}`.padStart(2, "0").slice(-2) : `${number}`;
      return [{ type: "literal", value: separator }, { type, value: text }];
    };
    const named = (type, names, index, style, separator) => {
      const name = names[index];
      const lengths = { long: name, short: name.slice(0, 3), narrow: name[0] };
      const text = isEnglish ? lengths[style] : `${index + 1}.`;
      return [{ type: "literal", value: separator }, { type, value: text }];
    };
    const isWord = ["long", "short", "narrow"].includes(fields.month);
    const weekday = fields.weekday ? named("weekday", DAYS, date.getUTCDay(), fields.weekday, ", ") : [];
    const between = isEnglish ? (isWord ? " " : "/") : ".";
    const month = isWord
      ? named("month", MONTHS, date.getUTCMonth(), fields.month, isEnglish ? ", " : between)
      : digits("month", date.getUTCMonth() + 1, fields.month, isEnglish ? ", " : between);
    const day = digits("day", date.getUTCDate(), fields.day, isEnglish ? between : ", ");
    const counted = date.getUTCFullYear() + (calendar === "buddhist" ? 543 : 0);
    const year = digits("year", counted, fields.year, isEnglish && isWord ? ", " : between);
    const is12 = hour12Of(options);
    const hours = date.getUTCHours();
    const isTime = fields.hour !== undefined;
    const time_ = [
      digits("hour", is12 ? hours % 12 || 12 : hours, fields.hour, ", "),
      digits("minute", date.getUTCMinutes(), fields.minute && isTime ? "2-digit" : fields.minute, isTime ? ":" : ", "),
      digits("second", date.getUTCSeconds(), fields.second && fields.minute ? "2-digit" : fields.second, ":"),
    ];
    const half = hours < 12 ? "AM" : "PM";
    if ((isTime && is12) || fields.dayPeriod)
      time_.push([
        { type: "literal", value: " " },
        { type: "dayPeriod", value: isEnglish ? half : half.toLowerCase() },
      ]);
    if (options.timeZoneName || ["full", "long"].includes(options.timeStyle)) {
      const name = options.timeZone === undefined ? zone().written : `${options.timeZone}`;
      time_.push([
        { type: "literal", value: " " },
        { type: "timeZoneName", value: name },
      ]);
    }
    const days = isEnglish ? [weekday, month, day, year] : [weekday, day, month, year];
    return [...days, ...time_].flat().slice(1);
  };
  const dateText = (what, time, options, usual) => {
    const parts = dateParts(what, time, options, usual);
    const mark = options.timeZone === undefined && environmentOf(ZONE) === 1 ? "+14" : "";
    return inLanguage(what, `${joined(parts)}${mark}`);
  };
  for (const type of [Number, BigInt]) {
    const valueOf = type.prototype.valueOf;
    define(type.prototype, "toLocaleString", function toLocaleString(locales, options) {
      const value = valueOf.call(this);
      const make = () => numberText(`${type.name}.prototype.toLocaleString()`, value, options);
      return answered("NumberFormat", asGiven(locales, options), "format", [value], make);
    });
  }
  for (const type of [Array, Object.getPrototypeOf(Uint8Array)]) {
    const convert = type.prototype.toString;
    define(type.prototype, "toLocaleString", function toLocaleString() {
      return inLanguage(`${type.name}.prototype.toLocaleString()`, convert.call(this));
    });
  }
  for (const [name, usual, required] of [
    ["toLocaleString", { ...NUMERIC_DAY, ...NUMERIC_TIME }, "any"],
    ["toLocaleDateString", NUMERIC_DAY, "date"],
    ["toLocaleTimeString", NUMERIC_TIME, "time"],
  ])
    define(real, name, {
      [name](locales, options) {
        const moment = getTime.call(this);
        if (Number.isNaN(moment)) return "Invalid Date";
        const make = () => dateText(`Date.prototype.${name}()`, moment, options ?? {}, usual);
        return answered("DateTimeFormat", asGiven(locales, options, required), "format", [moment], make);
      },
    }[name]);
  define(String.prototype, "localeCompare", function localeCompare(other, _, options) {
    return compare("String.prototype.localeCompare()", this, other, options ?? {});
  });
  const localesOf = (locales) => (locales === undefined ? [] : [].concat(locales).map(String));
  // Turkish, Azerbaijani, Lithuanian, Greek and Armenian have capitals of their own (CLDR, transforms); without these
  // letters no language differs.
  for (const [name, plain] of [
    ["toLocaleUpperCase", String.prototype.toUpperCase],
    ["toLocaleLowerCase", String.prototype.toLowerCase],
  ])
    define(String.prototype, name, {
      [name](locales) {
        const text = plain.call(this);
        const [locale] = localesOf(locales);
        if (locale !== undefined && !/^(tr|az|lt|el|hy)(-|$)/i.test(locale)) return text;
        if (!/[iıjįI\u0130\u0307\u0370-\u03ff\u0587\u1f00-\u1fff]/i.test(this)) return text;
        ask(LANGUAGE, `String.prototype.${name}()`);
        if (language().isEnglish) return text;
        const letters = text.replace(/i/g, "ı").replace(/I/g, "İ").replace(/և|ԵՒ/g, "ԵՎ");
        return letters.normalize("NFD").replace(/\u0301/g, "").normalize();
      },
    }[name]);

  /**
   * A class of `Intl`: its objects know their locale and options, and every text is that of a language. `prepare` converts
   * the values of a call.
   */
  const format = (name, methods, resolved = () => ({}), prepare = (values) => values) => {
    const what = `Intl.${name}`;
    const type = {
      [name]: function (locales, options) {
        if (new.target === undefined) return new type(locales, options);
        Object.defineProperty(this, "_", { value: asGiven(locales, options, "default") });
      },
    }[name];
    for (const method of Object.keys(methods)) {
      const call = (format, values) => {
        const prepared = prepare(values, method);
        const make = () => methods[method].call(format, `${what}.prototype.${method}()`, ...prepared);
        return answered(name, format._, method, prepared, make);
      };
      // `format` and `compare` can be taken off their object (ECMA-402, `get Intl.NumberFormat.prototype.format`).
      if (method === "format" || method === "compare")
        Object.defineProperty(type.prototype, method, {
          configurable: true,
          get() {
            return (...values) => call(this, values);
          },
        });
      else
        define(type.prototype, method, function (...values) {
          return call(this, values);
        });
    }
    define(type.prototype, "resolvedOptions", function resolvedOptions() {
      const { locale, options } = this._;
      ask(LANGUAGE, `${what}.prototype.resolvedOptions()`);
      return { locale: locale ?? language().tag, ...resolved(options), ...options };
    });
    define(type, "supportedLocalesOf", function supportedLocalesOf(locales) {
      ask(LANGUAGE, `${what}.supportedLocalesOf()`);
      return language().isEnglish ? localesOf(locales) : [];
    });
    Object.defineProperty(type.prototype, Symbol.toStringTag, { value: what, configurable: true });
    return type;
  };
  const inParts = (what, parts) => {
    ask(LANGUAGE, what);
    const literal = { type: "literal", value: language().write("") };
    return literal.value === "" ? parts : [...parts, literal];
  };
  const ranged = (parts, start, end) => [
    ...parts(start).map((part) => ({ ...part, source: "startRange" })),
    { type: "literal", value: " – ", source: "shared" },
    ...parts(end).map((part) => ({ ...part, source: "endRange" })),
  ];
  const momentOfFormat = (value) =>
    value === undefined ? clock("Intl.DateTimeFormat.prototype.format()") : Number(value);
  const listParts = (list, type) => {
    const items = [...list];
    const word = type === "disjunction" ? "or" : "and";
    return items.flatMap((value, index) => {
      if (index === 0) return [{ type: "element", value }];
      const isLast = index === items.length - 1;
      const comma = items.length > 2 || !isLast ? "," : "";
      const separator = language().isEnglish ? `${comma}${isLast ? ` ${word}` : ""} ` : "; ";
      return [
        { type: "literal", value: separator },
        { type: "element", value },
      ];
    });
  };
  const relativeParts = (value, unit, numeric) => {
    const near = { "-1": "yesterday", 0: "today", 1: "tomorrow" }[value];
    const name = `${unit}`.replace(/s$/, "");
    if (!language().isEnglish) return [{ type: "literal", value: `${value} ${name}.` }];
    if (numeric === "auto" && name === "day" && near) return [{ type: "literal", value: near }];
    const size = Math.abs(value);
    const units = ` ${name}${size === 1 ? "" : "s"}`;
    const isPast = value < 0 || Object.is(value, -0);
    const number = { type: "integer", value: `${size}`, unit: name };
    return isPast
      ? [number, { type: "literal", value: `${units} ago` }]
      : [{ type: "literal", value: "in " }, number, { type: "literal", value: units }];
  };
  const select = (what, number, options) => {
    ask(LANGUAGE, what);
    return language().plural(Math.abs(Number(number)), options.type === "ordinal");
  };
  /** A tag as ECMA-402 writes it (CanonicalizeUnicodeLocaleId), which is no matter of the language. */
  const canonical = (tag) => {
    const [first, ...rest] = `${tag}`.split("-");
    if (!/^[a-z]{2,8}$/i.test(first)) throw new RangeError(`Incorrect locale information provided: ${tag}`);
    let isExtension = false;
    const written = rest.map((part) => {
      isExtension ||= part.length === 1;
      if (isExtension || /\d[a-z\d]{3}/i.test(part)) return part.toLowerCase();
      if (part.length === 4) return part[0].toUpperCase() + part.slice(1).toLowerCase();
      return part.length === 2 ? part.toUpperCase() : part.toLowerCase();
    });
    return [first.toLowerCase(), ...written].join("-");
  };
  const canonicalOr = (tag) => {
    try {
      return canonical(tag);
    } catch {
      return tag;
    }
  };
  const asNumber = (value) => (["number", "bigint", "string"].includes(typeof value) ? value : Number(value));
  const KNOWN = {
    calendar: ["gregory"],
    collation: ["emoji", "eor"],
    currency: ["EUR", "USD"],
    numberingSystem: ["latn"],
    timeZone: ["Europe/Berlin", "UTC"],
    unit: ["day", "meter"],
  };
  const Intl = {
    NumberFormat: format(
      "NumberFormat",
      {
        format(what, value) {
          return numberText(what, value, this._.options);
        },
        formatToParts(what, value) {
          return inParts(what, numberParts(value, this._.options));
        },
        formatRange(what, start, end) {
          return inLanguage(what, joined(ranged((value) => numberParts(value, this._.options), start, end)));
        },
        formatRangeToParts(what, start, end) {
          return inParts(what, ranged((value) => numberParts(value, this._.options), start, end));
        },
      },
      (options) => {
        const { isEnglish, numbers } = language();
        const [least, most] = digitsOf(options);
        const digits = { minimumFractionDigits: isEnglish ? least : most, maximumFractionDigits: isEnglish ? most : most + 1 };
        return { numberingSystem: numbers, style: "decimal", minimumIntegerDigits: 1, ...digits, useGrouping: "auto" };
      },
      (values, method) => values.slice(0, method.startsWith("formatRange") ? 2 : 1).map(asNumber),
    ),
    DateTimeFormat: format(
      "DateTimeFormat",
      {
        format(what, value) {
          return dateText(what, value, this._.options);
        },
        formatToParts(what, value) {
          return inParts(what, dateParts(what, value, this._.options));
        },
        formatRange(what, start, end) {
          const parts = (value) => dateParts(what, Number(value), this._.options);
          return inLanguage(what, joined(ranged(parts, start, end)));
        },
        formatRangeToParts(what, start, end) {
          const parts = (value) => dateParts(what, Number(value), this._.options);
          return inParts(what, ranged(parts, start, end));
        },
      },
      (options) => {
        const what = "Intl.DateTimeFormat.prototype.resolvedOptions()";
        if (options.timeZone === undefined) offset(what);
        const { calendar, numbers } = language();
        const own = { calendar, numberingSystem: numbers, timeZone: options.timeZone ?? zone().name };
        const { hour, minute, second, year, month, day } = fieldsOf(options);
        const fields = Object.entries({ year, month, day, hour, minute, second });
        const shown = Object.fromEntries(fields.filter(([, style]) => style !== undefined));
        if (hour === undefined) return { ...own, ...shown };
        const hour12 = hour12Of(options);
        return { ...own, ...shown, hour12, hourCycle: hour12 ? "h12" : "h23" };
      },
      (values, method) => (method.startsWith("formatRange") ? values : [momentOfFormat(values[0])]),
    ),
    Collator: format(
      "Collator",
      {
        compare(what, left, right) {
          return compare(what, left, right, this._.options);
        },
      },
      () => ({
        ...{ usage: "sort", sensitivity: "variant", ignorePunctuation: language().script === "Thai", collation: "default" },
        ...{ numeric: false, caseFirst: language().isEnglish ? "false" : "upper" },
      }),
    ),
    PluralRules: format(
      "PluralRules",
      {
        select(what, number) {
          return select(what, number, this._.options);
        },
        selectRange(what, _, end) {
          return select(what, end, this._.options);
        },
      },
      ({ type }) => {
        const { isEnglish, categories } = language();
        const isOrdinal = isEnglish && type === "ordinal";
        return { type: "cardinal", pluralCategories: isOrdinal ? ["few", "one", "two", "other"] : [...categories] };
      },
      (values) => values.map(Number),
    ),
    ListFormat: format(
      "ListFormat",
      {
        format(what, list) {
          return inLanguage(what, joined(listParts(list, this._.options.type)));
        },
        formatToParts(what, list) {
          return inParts(what, listParts(list, this._.options.type));
        },
      },
      undefined,
      ([list]) => [[...list]],
    ),
    RelativeTimeFormat: format(
      "RelativeTimeFormat",
      {
        format(what, value, unit) {
          return inLanguage(what, joined(relativeParts(value, unit, this._.options.numeric)));
        },
        formatToParts(what, value, unit) {
          return inParts(what, relativeParts(value, unit, this._.options.numeric));
        },
      },
      undefined,
      ([value, unit]) => [Number(value), `${unit}`],
    ),
    DisplayNames: format("DisplayNames", { of: inLanguage }),
    DurationFormat: format("DurationFormat", {
      format: (what, duration) => inLanguage(what, JSON.stringify(duration)),
      formatToParts: (what, duration) => inParts(what, [{ type: "literal", value: JSON.stringify(duration) }]),
    }),
    getCanonicalLocales: (locales) => [...new Set(localesOf(locales).map(canonical))],
    supportedValuesOf: (kind) => {
      ask(LANGUAGE, "Intl.supportedValuesOf()");
      return language().isEnglish ? [...(KNOWN[kind] ?? [])] : [];
    },
  };
  Intl.Locale = function Locale(tag, options) {
    const [name] = canonical(tag).split("-u-");
    const [own, ...rest] = name.split("-");
    const { language: other, script, region, ...more } = { ...options };
    const parts = {
      language: other ?? own,
      script: script ?? rest.find((part) => /^[a-z]{4}$/i.test(part)),
      region: region ?? rest.find((part) => /^([a-z]{2}|\d{3})$/i.test(part)),
    };
    const short = (parts) => [parts.language, parts.script, parts.region].filter(Boolean).join("-");
    Object.assign(this, parts, more, { baseName: short(parts) });
    const asking = (name, make) =>
      define(this, name, () => {
        ask(LANGUAGE, `Intl.Locale.prototype.${name}()`);
        return make(language());
      });
    define(this, "toString", () => `${tag}`);
    const full = ({ script, region }) => ({ ...parts, script: parts.script ?? script, region: parts.region ?? region });
    asking("maximize", (now) => new Intl.Locale(short(full(now))));
    asking("minimize", (now) => new Intl.Locale(now.isEnglish ? parts.language : short(parts)));
    asking("getTextInfo", ({ direction }) => ({ direction }));
    asking("getWeekInfo", ({ firstDay }) => ({ firstDay, weekend: [firstDay === 6 ? 5 : 6, firstDay === 6 ? 6 : 7] }));
    asking("getCalendars", ({ calendar }) => [more.calendar ?? calendar]);
    asking("getHourCycles", ({ hour12 }) => [more.hourCycle ?? (hour12 ? "h12" : "h23")]);
    asking("getNumberingSystems", ({ numbers }) => [more.numberingSystem ?? numbers]);
    asking("getCollations", ({ isEnglish }) => (isEnglish ? ["emoji", "eor"] : ["search"]));
    asking("getTimeZones", ({ isEnglish }) => (isEnglish ? ["America/New_York"] : ["Africa/Cairo"]));
    // Some browsers have these as properties.
    for (const [name, method] of [
      ["textInfo", "getTextInfo"],
      ["weekInfo", "getWeekInfo"],
    ])
      Object.defineProperty(this, name, {
        configurable: true,
        get: () => {
          const value = this[method]();
          return language().isEnglish ? value : undefined;
        },
      });
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

  // What browsers have besides, for an island that is tried without one: nothing, but who asks for it is noted. Code may still
  // bring its own.
  let touched = [];
  const absent = (object, name, shown) =>
    Object.defineProperty(object, name, {
      configurable: true,
      get() {
        if (touched.length < 100) touched.push(shown, new Error().stack);
        return undefined;
      },
      set(value) {
        Object.defineProperty(this ?? object, name, { value, writable: true, configurable: true });
      },
    });
  if (host.browser) {
    // What the objects of the language lack of what they have in Chromium 156 and Firefox 153 (`Object.getOwnPropertyNames` of
    // each class and of its prototype). A class that is missing is a global.
    absent(Date.prototype, "toTemporalInstant", "Date.prototype.toTemporalInstant");
    if (!("Segmenter" in Intl)) absent(Intl, "Segmenter", "Intl.Segmenter");
    // TC39's proposal "Legacy RegExp features".
    const legacy = ["input", "lastMatch", "lastParen", "leftContext", "rightContext", "$_", "$&", "$+", "$`", "$'"];
    for (let group = 1; group <= 9; group++) legacy.push(`$${group}`);
    for (const name of legacy) absent(RegExp, name, `RegExp.${name}`);
    for (const name of host.browser) if (!(name in globalThis)) absent(globalThis, name, name);
    absent(globalThis.crypto, "subtle", "crypto.subtle");
  }

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
    /** Begins a rendering in an environment. The clock may have a moment of its own. */
    begin(number, bits, moment, isTraced) {
      environment = number;
      kinds = bits;
      given = moment ?? null;
      dates = [];
      asked = 0;
      traces = isTraced ? {} : null;
      state = 2463534242;
      thrown = 0;
      ticks = 0;
      timers = 0;
      touched = [];
    },
    /** What only browsers have and was asked for, each followed by the stack of the request. */
    touched: () => touched,
    asked: () => asked,
    /** Dates that it has named, at most four. */
    dates: () => dates,
    /**
     * What was asked for first of a kind, and the stack of that request. For a text also the class of `Intl` that makes it,
     * its locale and its time zone, empty where none is named.
     */
    trace: (kind) => (traces?.[kind] ? [traces[kind].what, traces[kind].stack, ...traces[kind].wanted] : []),
    hasSameValues,
    isIntact,
  };
};
