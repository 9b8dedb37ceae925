// Answers calls of `Intl` that name a locale (and, for a date, a time zone), with formatjs, which the site has installed.
// It answers only what Chromium, Firefox and WebKit write alike. What it leaves open counts as a text that differs between
// visitors, as every text of a language does without these packages. `tests/browser/texts.spec.ts` compares what is
// answered with the three; the rules below say where they differ.
//
// It runs in a bundle with formatjs, in a function whose parameter `Intl` hides the global one: formatjs finds its own
// classes there. `Date` is hidden too, so that nothing reads a clock.

/** The packages whose data a class needs, without `@formatjs/intl-`. Names of currencies and units have plurals. */
const NEEDED = {
  NumberFormat: ["pluralrules", "numberformat"],
  DateTimeFormat: ["pluralrules", "numberformat", "datetimeformat"],
  PluralRules: ["pluralrules"],
  ListFormat: ["listformat"],
  RelativeTimeFormat: ["pluralrules", "numberformat", "relativetimeformat"],
};
const CLASSES = {
  numberformat: "NumberFormat",
  datetimeformat: "DateTimeFormat",
  pluralrules: "PluralRules",
  listformat: "ListFormat",
  relativetimeformat: "RelativeTimeFormat",
};

const DIGITS = [
  ...["minimumIntegerDigits", "minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits"],
  ...["maximumSignificantDigits", "roundingMode", "roundingIncrement", "roundingPriority", "trailingZeroDisplay"],
];
/** The options that are answered. The texts of others, such as names of zones, change with the browsers' versions. */
const OPTIONS = {
  NumberFormat: [
    ...["style", "currency", "currencyDisplay", "currencySign", "unit", "unitDisplay", "notation", "compactDisplay"],
    ...["signDisplay", "useGrouping", "numberingSystem", ...DIGITS],
  ],
  DateTimeFormat: [
    ...["dateStyle", "timeStyle", "weekday", "year", "month", "day", "hour", "minute", "second", "hour12", "hourCycle"],
    ...["timeZone", "calendar", "numberingSystem"],
  ],
  PluralRules: ["type", ...DIGITS],
  ListFormat: ["type", "style"],
  RelativeTimeFormat: ["numeric", "style"],
};
/** The methods that are answered. Ranges have spaces of different kinds, and browsers list different options as resolved. */
const METHODS = ["format", "formatToParts", "select"];

/** Units whose names are compared. */
export const UNITS = [
  ...["bit", "byte", "kilobyte", "megabyte", "gigabyte", "celsius", "centimeter", "day", "degree", "fahrenheit", "foot"],
  ...["gram", "hectare", "hour", "inch", "kilogram", "kilometer", "kilometer-per-hour", "liter", "meter", "mile"],
  ...["mile-per-hour", "millimeter", "milliliter", "minute", "month", "ounce", "pound", "second", "week", "yard", "year"],
];
/** Currencies, likewise. Others (HUF, IDR) have had other numbers of digits. */
export const CURRENCIES = [
  ...["AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "ILS", "INR", "JPY"],
  ...["KRW", "KWD", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD"],
  ...["VND", "ZAR"],
];
/** Fields of a date that are asked for together, in the letters of CLDR (UTS 35, "Date Field Symbol Table"). */
export const DATES = [
  ...["y", "M", "MM", "MMM", "MMMM", "d", "dd", "EEE", "EEEE", "y MMM", "y MMMM", "y MM", "y M", "M d", "MM dd", "MMM d"],
  ...["MMMM d", "y M d", "y MM dd", "yy MM dd", "y MMM d", "y MMMM d", "y MMM dd", "y MMMM dd", "EEE MMM d", "EEEE MMMM d"],
  ...["y EEE MMM d", "y EEEE MMMM d", "y EEE MM dd"],
];
/** Fields of a time, likewise. */
export const TIMES = ["h", "hh", "h m", "h mm", "hh mm", "h m s", "h mm ss", "hh mm ss"];
/** Dates that have a time beside them. Longer ones have a word between (“at”, “um”), which formatjs does not know. */
export const WITH_TIME = ["y M d", "y MM dd", "y MMM d", "dateStyle medium", "dateStyle short"];

/** Kinds of texts, as the functions below name them, and the locales in which browsers differ in them, or formatjs does. */
const DIFFERENT = {
  // Its digits were Arabic.
  number: "ar",
  relative: "ar lt",
  // Its digits again; in Thailand the calendar is another.
  date: "ar th",
  "compact currency": "ca de-CH es es-MX fr-CA nb ro tr",
  "compact long": "en-IN lt sl",
  "compact short": "en-GB en-IN it it-CH",
  accounting: "de-AT",
  "currency symbol": "nb",
  "currency code": "nb",
  "currency narrowSymbol": "nb",
  "currency name": "en-AU es es-MX fr-CA lt ro sl vi",
  "CNY name": "it it-CH",
  "KRW symbol": "zh zh-CN",
  "RUB name": "en-CA",
  "SAR name": "hu",
  "TRY name": "ja ko tr zh-TW",
  "UAH name": "ja",
  "UAH symbol": "ru uk",
  "USD narrowSymbol": "en-CA",
  unit: "es-MX fr-CA",
  "day long": "pl",
  "day short": "pl",
  "degree short": "pt pt-BR pt-PT",
  "foot short": "pt pt-BR pt-PT zh-TW",
  "kilometer-per-hour long": "da uk",
  "mile long": "da",
  "mile short": "da pt-PT",
  "mile-per-hour long": "uk",
  "mile-per-hour short": "vi",
  "minute short": "en-AU",
  "pound short": "uk",
  "second short": "en-AU",
  "yard long": "hi",
  "relative auto": "sv vi",
  "relative short": "en-AU es-MX sl",
  "conjunction narrow": "nl nl-BE",
  "conjunction short": "nl nl-BE",
  "name of a month": "ca es-MX fi hi nb",
  "parts of a date": "bg ca ko ru uk",
  "dateStyle full": "en-IN",
  "dateStyle medium": "en-IN en-NZ",
  "dateStyle short": "en-CA en-NZ sl vi",
  // Some have the form of a name that stands alone, some that of one in a date.
  EEE: "de de-AT de-CH lv vi",
  EEEE: "fi lv",
  MMM: "el et uk vi",
  MMMM: "el",
  "y MMM": "cs ru uk",
  "y MMMM": "cs el hr lt pl ru sk uk",
  "y MMM dd": "en-IN",
  "y M": "de de-AT de-CH en-CA it it-CH zh zh-CN",
  "y MM": "de de-AT de-CH en-CA",
  "M d": "en-CA fr-CA it it-CH",
  "MM dd": "en-CA",
  "y M d": "en-CA it it-CH",
  "y MM dd": "en-CA it-CH lv",
  "yy MM dd": "cs en-CA",
  "EEE MMM d": "en-GB tr vi zh-TW",
  "EEEE MMMM d": "en-AU en-GB zh-TW",
  "y EEE MM dd": "en-CA ru vi",
  "y EEE MMM d": "vi zh-TW",
  "y EEEE MMMM d": "en-AU en-IN zh-TW",
  time: "es-MX ko zh-TW",
  "timeStyle short": "bg",
  "timeStyle medium": "bg",
  h: "it it-CH ru sl uk vi",
  hh: "sl vi",
  "hh mm": "bg",
  "hh mm ss": "bg",
  // The comma between them is missing in formatjs, or stands in some browsers only.
  "date and time": "da et fi id ja lv nl nl-BE pt pt-BR zh zh-CN",
};

const isDifferentIn = (kind, locale) => DIFFERENT[kind]?.split(" ").includes(locale) ?? false;

const LETTERS = {
  year: { numeric: "y", "2-digit": "yy" },
  weekday: { long: "EEEE", short: "EEE" },
  month: { numeric: "M", "2-digit": "MM", short: "MMM", long: "MMMM" },
  day: { numeric: "d", "2-digit": "dd" },
  hour: { numeric: "h", "2-digit": "hh" },
  minute: { numeric: "m", "2-digit": "mm" },
  second: { numeric: "s", "2-digit": "ss" },
};
/** The fields in letters; one that is narrow gives none that is known. */
const letters = (options, fields) =>
  fields
    .filter((field) => options[field] !== undefined)
    .map((field) => LETTERS[field][options[field]] ?? "?")
    .join(" ");
const DAY = ["year", "weekday", "month", "day"];
const TIME = ["hour", "minute", "second"];

/** The kinds of texts that a format makes. Nothing if it has one that is not answered. */
const kindsOf = {
  NumberFormat(options) {
    const { style, currency, currencyDisplay = "symbol", currencySign, unit, unitDisplay = "short" } = options;
    const { numberingSystem, notation = "standard", compactDisplay = "short" } = options;
    if (numberingSystem !== undefined && numberingSystem !== "latn") return undefined;
    // Abbreviations of the narrowest kind are those that change most.
    if (style === "unit" && (!UNITS.includes(unit) || unitDisplay === "narrow")) return undefined;
    const isPlain = style === undefined || style === "decimal" || (style === "currency" && notation === "compact");
    if (notation !== "standard" && !isPlain) return undefined;
    if (style === "currency" && !CURRENCIES.includes(currency)) return undefined;
    return [
      "number",
      style === "currency" && [`currency ${currencyDisplay}`, `${currency} ${currencyDisplay}`, currencySign],
      style === "unit" && ["unit", `${unit} ${unitDisplay}`],
      notation === "compact" && [`compact ${compactDisplay}`, style === "currency" && "compact currency"],
    ];
  },
  DateTimeFormat(options, { hourCycle: usual }) {
    const { dateStyle, timeStyle, hour12, hourCycle, calendar, numberingSystem, timeZone, hour, minute } = options;
    if (calendar !== undefined && calendar !== "gregory") return undefined;
    if (numberingSystem !== undefined && numberingSystem !== "latn") return undefined;
    // Offsets as zones are newer than some browsers.
    if (/^[+-]/.test(timeZone)) return undefined;
    const day = dateStyle ? `dateStyle ${dateStyle}` : letters(options, DAY);
    const time = timeStyle ? `timeStyle ${timeStyle}` : letters(options, TIME);
    if (day && !dateStyle && !DATES.includes(day)) return undefined;
    if (time) {
      const isHalf = usual === "h12" || usual === "h11";
      // Against the habit of the locale browsers differ in midnight (`0:00`, `12:00`, `24:00`) and in the words beside it.
      if (hour12 !== undefined && (hour12 !== isHalf || hourCycle !== undefined)) return undefined;
      if (hourCycle !== undefined && hourCycle !== "h23" && hourCycle !== usual) return undefined;
      // These have names of zones.
      if (timeStyle === "full" || timeStyle === "long") return undefined;
      if (!timeStyle && !TIMES.includes(time)) return undefined;
      // `9:05` in browsers, `09:05` in formatjs.
      if (hour === "numeric" && minute === "2-digit" && (!isHalf || hourCycle === "h23")) return undefined;
      if (day && (!WITH_TIME.includes(day) || (!timeStyle && minute === undefined))) return undefined;
    }
    const hasName = day.includes("MMM") || (dateStyle !== undefined && dateStyle !== "short");
    return ["date", day, hasName && "name of a month", time && [time, "time"], time && day && "date and time"];
  },
  PluralRules: () => [],
  ListFormat: ({ type = "conjunction", style = "long" }) => [`${type} ${style}`],
  RelativeTimeFormat: ({ style = "long", numeric = "always" }) =>
    style === "narrow" ? undefined : ["relative", `relative ${style}`, `relative ${numeric}`],
};

/** Whether a text is another in browsers after all. */
const isDifferent = (name, locale, parts, values) => {
  // These languages write `1234` in some versions of CLDR and `1.234` in others.
  const isFourLong = parts.filter(({ type }) => type === "integer").reduce((sum, { value }) => sum + value.length, 0) === 4;
  if (isFourLong && /^(it|sl|hu)\b/.test(locale)) return true;
  // The apostrophe of Swiss numbers was another one in earlier versions of CLDR.
  if (parts.some(({ type, value }) => type === "group" && /['’]/.test(value))) return true;
  // Spanish has `e` for `y` before an i, and `u` for `o` before an o; formatjs does not know.
  const isSpanish = name === "ListFormat" && /^es\b/.test(locale);
  return isSpanish && values[0].slice(1).some((item) => /^(h?[ioíó]|8|11)/i.test(item));
};

/** When the rules of zones are those that all browsers know, in milliseconds: from 2000 until 2037. */
const FIRST = 946684800000;
const LAST = 2114380800000;
/** Zones whose rules were changed since 2022, or are to change: not every browser has heard of it. */
const CHANGED = [
  ...["Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "America/Asuncion", "America/Bahia_Banderas"],
  ...["America/Chihuahua", "America/Ciudad_Juarez", "America/Coyhaique", "America/Edmonton", "America/Havana"],
  ...["America/Inuvik", "America/Mazatlan", "America/Merida", "America/Mexico_City", "America/Monterrey"],
  ...["America/Nuuk", "America/Ojinaga", "America/Rainy_River", "America/Scoresbysund", "America/Vancouver"],
  ...["America/Winnipeg", "America/Yellowknife"],
  ...["Antarctica/Casey", "Antarctica/Vostok", "Asia/Almaty", "Asia/Choibalsan", "Asia/Gaza", "Asia/Hebron"],
  ...["Asia/Qostanay", "Pacific/Fiji"],
];

/** How `Date.prototype.toLocaleString` and its relatives complete options (ECMA-402, ToDateTimeOptions). */
const USUAL_DAY = { year: "numeric", month: "numeric", day: "numeric" };
const USUAL_TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
const completed = (options, required) => {
  const { dateStyle, timeStyle } = options;
  const has = (fields) => fields.some((field) => options[field] !== undefined);
  if (dateStyle !== undefined || timeStyle !== undefined) {
    const isWrong = (required === "date" && timeStyle !== undefined) || (required === "time" && dateStyle !== undefined);
    return isWrong ? undefined : options;
  }
  if (required === "date") return has(DAY) ? options : { ...options, ...USUAL_DAY };
  if (required === "time") return has(TIME) ? options : { ...options, ...USUAL_TIME };
  if (has([...DAY, ...TIME])) return options;
  return { ...options, ...USUAL_DAY, ...(required === "any" ? USUAL_TIME : {}) };
};

/**
 * Gives the function that answers. `load` gives a script of data by its name (`numberformat.de`, `zones`): a function of an
 * `Intl`.
 */
export const answering = (Intl, load) => {
  const loaded = new Set();
  const formats = new Map();
  let zones;

  /** Gives formatjs the data of a locale. Returns whether there is any. That of a wider one (`pt`) is registered for the one that is meant. */
  const read = (part, locale) => {
    const name = `${part}.${locale}`;
    if (loaded.has(name)) return true;
    const type = Intl[CLASSES[part]];
    const script = type && load(name);
    if (script === undefined) return false;
    const add = (...all) => all.forEach((each) => type.__addLocaleData({ ...each, locale }));
    script({ [CLASSES[part]]: { __addLocaleData: add } });
    loaded.add(name);
    return true;
  };
  /** Gives formatjs the rules of a zone. Returns whether there are any. There are hundreds, and each takes as long. */
  const readZone = (zone) => {
    const type = Intl.DateTimeFormat;
    if (CHANGED.includes(zone)) return false;
    if (zone === "UTC" || Object.hasOwn(type.tzData, zone)) return true;
    if (zones === undefined) load("zones")?.({ DateTimeFormat: { __addTZData: (data) => (zones = data) } });
    const rules = zones?.zones.find((each) => each.startsWith(`${zone}|`));
    if (rules === undefined) return false;
    const known = type.tzData;
    type.__addTZData({ ...zones, zones: [rules] });
    type.tzData = { ...known, ...type.tzData };
    return true;
  };

  const make = (name, locale, options) => {
    if (!NEEDED[name].every((part) => read(part, locale))) return undefined;
    const given = Object.keys(options).filter((key) => options[key] !== undefined);
    if (given.some((key) => !OPTIONS[name].includes(key) || !["string", "number", "boolean"].includes(typeof options[key])))
      return undefined;
    const type = Intl[name];
    let facts = {};
    if (name === "DateTimeFormat") {
      if (!readZone(options.timeZone)) return undefined;
      facts = new type(locale, { hour: "numeric", timeZone: options.timeZone }).resolvedOptions();
      // The rules are looked up by the zone's main name (`Europe/Brussels` of `Europe/Amsterdam`).
      if (!readZone(facts.timeZone)) return undefined;
    }
    const kinds = kindsOf[name](options, facts)?.flat(2);
    if (kinds === undefined || kinds.some((kind) => isDifferentIn(kind, locale))) return undefined;
    return new type(locale, { ...options, localeMatcher: "lookup" });
  };

  const answer = (name, locale, given, required, method, values) => {
    if (!METHODS.includes(method)) return undefined;
    const options = name === "DateTimeFormat" ? completed(given, required) : given;
    if (options === undefined || (name === "DateTimeFormat" && typeof options.timeZone !== "string")) return undefined;
    const entries = Object.entries(options).map(([key, value]) => `${key} ${typeof value} ${value}`);
    const key = JSON.stringify([name, locale, ...entries]);
    if (!formats.has(key)) formats.set(key, make(name, locale, options));
    const format = formats.get(key);
    if (format === undefined) return undefined;
    if (name === "ListFormat" && values[0].some((item) => typeof item !== "string")) return undefined;
    const isZoned = name === "DateTimeFormat" && options.timeZone !== "UTC";
    if (isZoned && (values[0] < FIRST || values[0] >= LAST)) return undefined;
    // Browsers write an ordinary space, because pages read their texts again, where CLDR has a narrow one.
    const spaced = (text) => (name === "DateTimeFormat" ? text.replace(/\u202f/g, " ") : text);
    const isSplit = name === "DateTimeFormat" && method === "formatToParts";
    if (isSplit && isDifferentIn("parts of a date", locale)) return undefined;
    if (method === "select") return { value: format.select(...values) };
    const parts = format.formatToParts(...values).map((part) => ({ ...part, value: spaced(part.value) }));
    if (isDifferent(name, locale, parts, values)) return undefined;
    return { value: method === "format" ? parts.map((part) => part.value).join("") : parts };
  };

  /**
   * What a method of an object of `Intl.<name>` gives: `{ value }`, or nothing if it is not answered. `required` is what
   * the fields of a date are completed by: `date`, `time`, `any` or `default`.
   */
  return (...call) => {
    try {
      return answer(...call);
    } catch {
      // What is wrong with the options, browsers say in their own words.
      return undefined;
    }
  };
};
