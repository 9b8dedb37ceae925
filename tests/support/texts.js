// Calls of `Intl` and its relatives, each a function of a locale that gives a text. The prerenderer and the browsers run them.
const DAY = Date.UTC(2026, 10, 24, 9, 5, 7);
const SUMMER = Date.UTC(2024, 6, 1, 20, 30);
const number = (value, options) => (locale) => new Intl.NumberFormat(locale, options).format(value);
const numbers = (values, options) => (locale) => {
  const format = new Intl.NumberFormat(locale, options);
  return values.map((value) => format.format(value)).join(" | ");
};
const date = (options, time = DAY) => (locale) =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(time);
const dates = (times, options) => (locale) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  return times.map((time) => format.format(time)).join(" | ");
};
const plurals = (options) => (locale) => {
  const rules = new Intl.PluralRules(locale, options);
  return [0, 1, 2, 3, 4, 5, 11, 12, 21, 22, 100, 101, 1e6, 1.5, 0.5].map((value) => rules.select(value)).join(" ");
};
const list = (items, options) => (locale) => new Intl.ListFormat(locale, options).format(items);
const relative = (unit, options) => (locale) => {
  const format = new Intl.RelativeTimeFormat(locale, options);
  return [-5, -2, -1, 0, 1, 2, 5].map((value) => format.format(value, unit)).join(" | ");
};
const AMOUNTS = [0, 0.5, -1, 12, 1234.5, -98765.432, 1234567.891];
const HOURS = [0, 5, 9, 12, 17, 23].map((hour) => Date.UTC(2026, 4, 7, hour, hour + 3, 59 - hour));
const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 14 + month));

/** What sites write most: refused for no locale. */
export const common = {
  decimal: numbers(AMOUNTS),
  "decimal, two digits": numbers(AMOUNTS, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  "decimal, no digits": numbers(AMOUNTS, { maximumFractionDigits: 0 }),
  "decimal, not grouped": numbers(AMOUNTS, { useGrouping: false }),
  "euro": numbers(AMOUNTS, { style: "currency", currency: "EUR" }),
  "dollar": numbers(AMOUNTS, { style: "currency", currency: "USD" }),
  "currency without digits": numbers(AMOUNTS, { style: "currency", currency: "EUR", maximumFractionDigits: 0 }),
  percent: numbers([0, 0.256, 1, -0.5, 12.5], { style: "percent" }),
  "percent, one digit": numbers([0.256, 1], { style: "percent", minimumFractionDigits: 1 }),
  "Number.prototype.toLocaleString": (locale) => (1234.5).toLocaleString(locale),
  "long date": dates(MONTHS, { dateStyle: "long" }),
  "medium date": dates(MONTHS, { dateStyle: "medium" }),
  "day, month and year": date({ day: "numeric", month: "long", year: "numeric" }),
  "Date.prototype.toLocaleDateString": (locale) =>
    new Date(DAY).toLocaleDateString(locale, { timeZone: "UTC", year: "numeric", month: "long", day: "numeric" }),
  "cardinal plurals": plurals(),
  "ordinal plurals": plurals({ type: "ordinal" }),
  "list of two": list(["A", "B"]),
  "list of three": list(["A", "B", "C"]),
};

/** Local times of a zone, in each quarter of some years. */
export const hoursOf = (zone) =>
  dates(
    [2000, 2007, 2012, 2018, 2024, 2026, 2027, 2030, 2036].flatMap((year) => [0, 3, 6, 9].map((month) => Date.UTC(year, month, 20, 12))),
    { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone },
  );

/** The letters of CLDR for fields of dates and times, as options. */
const FIELDS = {
  ...{ y: { year: "numeric" }, yy: { year: "2-digit" }, M: { month: "numeric" }, MM: { month: "2-digit" } },
  ...{ MMM: { month: "short" }, MMMM: { month: "long" }, d: { day: "numeric" }, dd: { day: "2-digit" } },
  ...{ EEE: { weekday: "short" }, EEEE: { weekday: "long" }, h: { hour: "numeric" }, hh: { hour: "2-digit" } },
  ...{ m: { minute: "numeric" }, mm: { minute: "2-digit" }, s: { second: "numeric" }, ss: { second: "2-digit" } },
};
const asked = (kind) => {
  const [key, value] = kind.split(" ");
  return key.endsWith("Style") ? { [key]: value } : fields(kind);
};
const fields = (letters) => Object.assign({}, ...letters.split(" ").map((each) => FIELDS[each]));

/** All cases, with one for each kind of text that crates/islands/src/texts.js lists. */
export const casesOf = ({ UNITS, CURRENCIES, DATES, TIMES, WITH_TIME }) => ({
  ...common,
  ...Object.fromEntries(DATES.map((letters) => [`fields ${letters}`, dates(MONTHS, fields(letters))])),
  ...Object.fromEntries(TIMES.map((letters) => [`fields ${letters}`, dates(HOURS, fields(letters))])),
  ...Object.fromEntries(TIMES.map((letters) => [`fields ${letters}, h23`, dates(HOURS, { ...fields(letters), hourCycle: "h23" })])),
  ...Object.fromEntries(
    WITH_TIME.flatMap((day) =>
      (day.startsWith("dateStyle") ? ["timeStyle short", "timeStyle medium"] : TIMES.filter((each) => each.includes("m"))).map((time) => [
        `${day} and ${time}`,
        dates(HOURS, { ...asked(day), ...asked(time) }),
      ]),
    ),
  ),
  ...Object.fromEntries(
    CURRENCIES.flatMap((currency) =>
      ["symbol", "narrowSymbol", "name"].map((currencyDisplay) => [
        `${currency}, ${currencyDisplay}`,
        numbers([1, -2.5, 21], { style: "currency", currency, currencyDisplay }),
      ]),
    ),
  ),
  ...Object.fromEntries(
    UNITS.flatMap((unit) =>
      ["long", "short"].map((unitDisplay) => [
        `${unit}, ${unitDisplay}`,
        numbers([0, 1, 2, 5, 21, 1.5, 100], { style: "unit", unit, unitDisplay }),
      ]),
    ),
  ),
  "decimal, at least four digits": numbers(AMOUNTS, { minimumIntegerDigits: 4 }),
  "decimal, three significant digits": numbers(AMOUNTS, { maximumSignificantDigits: 3 }),
  "decimal, grouped from two": numbers([1234, 12345], { useGrouping: "min2" }),
  "decimal, always grouped": numbers([1234, 12345], { useGrouping: "always" }),
  "decimal, rounded down": numbers([1.55, -1.55], { maximumFractionDigits: 1, roundingMode: "floor" }),
  "decimal, half even": numbers([0.5, 1.5, 2.5], { maximumFractionDigits: 0, roundingMode: "halfEven" }),
  "decimal, trailing zeros": numbers([1, 1.5], { minimumFractionDigits: 2, trailingZeroDisplay: "stripIfInteger" }),
  "decimal, in steps": numbers([1.23, 1.28], { roundingIncrement: 5, minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  "decimal, Latin digits": numbers(AMOUNTS, { numberingSystem: "latn" }),
  "not a number": numbers([NaN, Infinity, -Infinity]),
  "minus zero": numbers([-0]),
  "large integer": (locale) => new Intl.NumberFormat(locale).format(12345678901234567890n),
  "BigInt.prototype.toLocaleString": (locale) => 12345678n.toLocaleString(locale),
  "number in a text": (locale) => new Intl.NumberFormat(locale).format("1234.5"),
  "many digits": numbers([0.1234567890123], { maximumFractionDigits: 12 }),
  "always a sign": numbers([1, -1, 0], { signDisplay: "always" }),
  "sign except for zero": numbers([1, -1, 0], { signDisplay: "exceptZero" }),
  "never a sign": numbers([1, -1, 0], { signDisplay: "never" }),
  "negative sign": numbers([1, -1, -0], { signDisplay: "negative" }),
  "currency code": numbers(AMOUNTS, { style: "currency", currency: "EUR", currencyDisplay: "code" }),
  "currency name": numbers([0, 1, 2, 5, 1.5], { style: "currency", currency: "EUR", currencyDisplay: "name" }),
  "currency name of dollars": numbers([0, 1, 2, 5, 1.5], { style: "currency", currency: "USD", currencyDisplay: "name" }),
  "narrow currency": numbers(AMOUNTS, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }),
  pounds: numbers(AMOUNTS, { style: "currency", currency: "GBP" }),
  yen: numbers(AMOUNTS, { style: "currency", currency: "JPY" }),
  francs: numbers(AMOUNTS, { style: "currency", currency: "CHF" }),
  zloty: numbers(AMOUNTS, { style: "currency", currency: "PLN" }),
  rupees: numbers(AMOUNTS, { style: "currency", currency: "INR" }),
  dinars: numbers(AMOUNTS, { style: "currency", currency: "KWD" }),
  "accounting": numbers(AMOUNTS, { style: "currency", currency: "EUR", currencySign: "accounting" }),
  "accounting in dollars": numbers(AMOUNTS, { style: "currency", currency: "USD", currencySign: "accounting" }),
  "signed currency": numbers([1, -1, 0], { style: "currency", currency: "EUR", signDisplay: "always" }),
  "signed percent": numbers([0.1, -0.1, 0], { style: "percent", signDisplay: "exceptZero" }),
  compact: numbers([0, 999, 1234, 15300, 1234567, 2.5e9, -4321], { notation: "compact" }),
  "compact, long": numbers([999, 1234, 15300, 1234567, 2.5e9], { notation: "compact", compactDisplay: "long" }),
  "compact currency": numbers([999, 1234, 1234567], { notation: "compact", style: "currency", currency: "EUR" }),
  scientific: numbers([0, 1234, 0.00012], { notation: "scientific" }),
  engineering: numbers([0, 1234, 1234567], { notation: "engineering" }),
  "percent as a unit": numbers([1], { style: "unit", unit: "percent" }),
  "narrow unit": numbers([1, 2], { style: "unit", unit: "hour", unitDisplay: "narrow" }),
  "parts of a number": (locale) => JSON.stringify(new Intl.NumberFormat(locale).formatToParts(-1234.5)),
  "parts of a price": (locale) =>
    JSON.stringify(new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).formatToParts(-1234.5)),
  "parts of a percentage": (locale) => JSON.stringify(new Intl.NumberFormat(locale, { style: "percent" }).formatToParts(0.5)),
  "parts of a length": (locale) =>
    JSON.stringify(new Intl.NumberFormat(locale, { style: "unit", unit: "kilometer" }).formatToParts(1234.5)),
  "range of numbers": (locale) => new Intl.NumberFormat(locale).formatRange(1, 5),
  "range of prices": (locale) => new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).formatRange(1, 5),
  "options of a number": (locale) => JSON.stringify(new Intl.NumberFormat(locale).resolvedOptions()),
  "options of a price": (locale) =>
    JSON.stringify(new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).resolvedOptions()),

  "usual date": dates(MONTHS),
  "full date": dates(MONTHS, { dateStyle: "full" }),
  "short date": dates(MONTHS, { dateStyle: "short" }),
  "short time": date({ timeStyle: "short" }),
  "short time in the afternoon": date({ timeStyle: "short" }, SUMMER),
  "short time at midnight": date({ timeStyle: "short" }, 0),
  "medium time": date({ timeStyle: "medium" }),
  "long time": date({ timeStyle: "long" }),
  "full time": date({ timeStyle: "full" }),
  ...Object.fromEntries(
    ["full", "long", "medium", "short"].flatMap((dateStyle) =>
      ["short", "medium"].map((timeStyle) => [`${dateStyle} date, ${timeStyle} time`, date({ dateStyle, timeStyle })]),
    ),
  ),
  "medium date and time in Berlin": date({ dateStyle: "medium", timeStyle: "short", timeZone: "Europe/Berlin" }, SUMMER),
  "long date in Tokyo": date({ dateStyle: "long", timeZone: "Asia/Tokyo" }, SUMMER),
  "hour in New York, summer and winter": dates([SUMMER, DAY], { hour: "2-digit", minute: "2-digit", hour12: false, timeZone: "America/New_York" }),
  "hour in Berlin, summer and winter": dates([SUMMER, DAY], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "Europe/Berlin" }),
  "hour in Lord Howe": dates([SUMMER, DAY], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "Australia/Lord_Howe" }),
  "hour in Kolkata": dates([SUMMER, DAY], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "Asia/Kolkata" }),
  "around a change of the clock": dates([1774745999000, 1774746000000, 1792889999000, 1792890000000], {
    hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone: "Europe/Berlin",
  }),
  "zone, short": dates([SUMMER, DAY], { hour: "numeric", timeZone: "Europe/Berlin", timeZoneName: "short" }),
  "zone, long": dates([SUMMER, DAY], { hour: "numeric", timeZone: "Europe/Berlin", timeZoneName: "long" }),
  "zone of UTC": date({ hour: "numeric", timeZoneName: "short" }),
  "zone, offset": dates([SUMMER, DAY], { hour: "numeric", timeZone: "Europe/Berlin", timeZoneName: "shortOffset" }),
  "offset as a zone": date({ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "+02:00" }),
  year: date({ year: "numeric" }),
  "year, two digits": date({ year: "2-digit" }),
  "month and year": dates(MONTHS, { month: "long", year: "numeric" }),
  "short month and year": dates(MONTHS, { month: "short", year: "numeric" }),
  "number of a month and year": date({ month: "2-digit", year: "numeric" }),
  "month": dates(MONTHS, { month: "long" }),
  "short month": dates(MONTHS, { month: "short" }),
  "narrow month": dates(MONTHS, { month: "narrow" }),
  "number of a month": date({ month: "numeric" }),
  day: date({ day: "numeric" }),
  "day and month": dates(MONTHS, { day: "numeric", month: "long" }),
  "day and short month": dates(MONTHS, { day: "numeric", month: "short" }),
  "numbers of day and month": date({ day: "2-digit", month: "2-digit" }),
  "numbers of day, month and year": date({ day: "2-digit", month: "2-digit", year: "numeric" }),
  "day, short month and year": dates(MONTHS, { day: "numeric", month: "short", year: "numeric" }),
  "weekday": dates(MONTHS, { weekday: "long" }),
  "short weekday": dates(MONTHS, { weekday: "short" }),
  "narrow weekday": dates(MONTHS, { weekday: "narrow" }),
  "weekday, day and month": dates(MONTHS, { weekday: "long", day: "numeric", month: "long" }),
  "weekday, day, month and year": dates(MONTHS, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  "short weekday, day, short month": dates(MONTHS, { weekday: "short", day: "numeric", month: "short" }),
  "short weekday, numbers": date({ weekday: "short", day: "2-digit", month: "2-digit", year: "numeric" }),
  "hour": date({ hour: "numeric" }),
  "hour and minute": date({ hour: "numeric", minute: "2-digit" }),
  "hour, minute and second": date({ hour: "numeric", minute: "2-digit", second: "2-digit" }),
  "hour and minute, 24": dates([DAY, SUMMER, 0], { hour: "2-digit", minute: "2-digit", hour12: false }),
  "hour and minute, h23": dates([DAY, SUMMER, 0], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  "hour and minute, 12": dates([DAY, SUMMER, 0], { hour: "numeric", minute: "2-digit", hour12: true }),
  "hour, 12": dates([DAY, SUMMER, 0], { hour: "numeric", hour12: true }),
  "hour, 24": dates([DAY, SUMMER, 0], { hour: "numeric", hour12: false }),
  "time to a tenth": date({ minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1 }),
  "minute": date({ minute: "2-digit" }),
  "part of the day": dates([DAY, SUMMER], { hour: "numeric", dayPeriod: "long" }),
  "date and time": date({ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" }),
  "date and time, numbers": date({ day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" }),
  "date and time, h23": date({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  "weekday and time": date({ weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  era: date({ year: "numeric", era: "short" }),
  "date with an era": date({ day: "numeric", month: "long", year: "numeric", era: "short" }),
  "date long ago": date({ dateStyle: "long" }, Date.UTC(1789, 6, 14)),
  "date before our era": date({ dateStyle: "long" }, -1e14),
  "in the Gregorian calendar": date({ dateStyle: "long", calendar: "gregory" }),
  "in another calendar": date({ dateStyle: "long", calendar: "buddhist" }),
  "date in Latin digits": date({ dateStyle: "long", numberingSystem: "latn" }),
  "Date.prototype.toLocaleString": (locale) => new Date(DAY).toLocaleString(locale, { timeZone: "UTC" }),
  "Date.prototype.toLocaleTimeString": (locale) => new Date(DAY).toLocaleTimeString(locale, { timeZone: "UTC" }),
  "Date.prototype.toLocaleDateString, usual": (locale) => new Date(DAY).toLocaleDateString(locale, { timeZone: "UTC" }),
  "parts of a date": (locale) =>
    JSON.stringify(new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).formatToParts(DAY)),
  "parts of a time": (locale) =>
    JSON.stringify(new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" }).formatToParts(DAY)),
  "range of dates": (locale) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).formatRange(DAY, DAY + 86400000 * 3),
  "options of a date": (locale) => JSON.stringify(new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).resolvedOptions()),
  "options of a time": (locale) =>
    JSON.stringify(new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "numeric", timeZone: "UTC" }).resolvedOptions()),

  "plurals with digits": plurals({ minimumFractionDigits: 1 }),
  "plural of a range": (locale) => new Intl.PluralRules(locale).selectRange(1, 5),
  "options of plurals": (locale) => JSON.stringify(new Intl.PluralRules(locale).resolvedOptions()),
  "plural categories": (locale) => [...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort().join(),

  "list of none": list([]),
  "list of one": list(["A"]),
  "list of four": list(["A", "B", "C", "D"]),
  "list, or": list(["A", "B", "C"], { type: "disjunction" }),
  "list, short": list(["A", "B", "C"], { style: "short" }),
  "list, narrow": list(["A", "B", "C"], { style: "narrow" }),
  "list, short or": list(["A", "B", "C"], { style: "short", type: "disjunction" }),
  "list of units": list(["A", "B", "C"], { type: "unit" }),
  "list of units, short": list(["A", "B", "C"], { type: "unit", style: "short" }),
  "list of units, narrow": list(["A", "B", "C"], { type: "unit", style: "narrow" }),
  "list before a vowel": list(["Agua", "Islas"]),
  "list, or before a vowel": list(["Siete", "Ocho"], { type: "disjunction" }),
  "parts of a list": (locale) => JSON.stringify(new Intl.ListFormat(locale).formatToParts(["A", "B", "C"])),

  ...Object.fromEntries(
    ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].flatMap((unit) =>
      [{}, { numeric: "auto" }, { style: "short" }, { style: "narrow", numeric: "auto" }].map((options) => [
        `relative ${unit}, ${Object.values(options).join(", ") || "usual"}`,
        relative(unit, options),
      ]),
    ),
  ),
  "relative, many days": (locale) => new Intl.RelativeTimeFormat(locale).format(-12345.5, "day"),
  "parts of a relative time": (locale) => JSON.stringify(new Intl.RelativeTimeFormat(locale).formatToParts(-12, "day")),
});
