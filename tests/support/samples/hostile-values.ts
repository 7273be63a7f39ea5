const MIB = 1024 * 1024;
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const NUMBERS = { "2^53 + 1": "9007199254740993", "-1": "-1", "1e400": "1e400" };
const DATES = {
  "the year 0000": "0000-01-01T00:00:00Z",
  "the year 1, before it in UTC": "0001-01-01T00:00:00+23:59",
  "the year 9999, after it in UTC": "9999-12-31T23:59:59.999-23:59",
};

/** Values of parameters in a URL, percent-encoded. */
export const HOSTILE_PARAMETERS: Readonly<Record<string, string>> = {
  NUL: "a%00b",
  "NUL alone": "%00",
  "a lone surrogate": "%ED%A0%80",
  "a broken escape": "%",
  "a cursor with NUL": Buffer.from("2026-01-01T00:00:00Z \0").toString("base64url"),
  ...NUMBERS,
  "10^22": "9999999999999999999999",
  ...Object.fromEntries(Object.entries(DATES).map(([name, date]) => [name, encodeURIComponent(date)])),
  "4 KB of text": "x".repeat(4_000),
  "12 KB of text": "x".repeat(12_000),
};

/** Longer than what Node.js reads of a request before its body. */
export const LARGE_PARAMETERS: Readonly<Record<string, string>> = { "1 MB of text": "x".repeat(MIB) };

/** Values of fields in a body, as JSON. */
export const HOSTILE_FIELDS: Readonly<Record<string, string>> = {
  NUL: JSON.stringify("a\0b"),
  "a lone surrogate": '"\\ud800"',
  "a cursor with NUL": JSON.stringify(HOSTILE_PARAMETERS["a cursor with NUL"]),
  ...NUMBERS,
  ...Object.fromEntries(Object.entries(NUMBERS).map(([name, text]) => [`${name} as text`, `"${text}"`])),
  ...Object.fromEntries(Object.entries(DATES).map(([name, date]) => [name, `"${date}"`])),
  "10 KB of text": `"${"x".repeat(10_000)}"`,
  "JSON 25,000 deep": deep(25_000),
  "no value": "null",
};

/** Values of fields in a larger body than most operations read. */
export const LARGE_FIELDS: Readonly<Record<string, string>> = {
  "1 MB of text": `"${"x".repeat(MIB)}"`,
  "JSON 1,000,000 deep": deep(1_000_000),
};
