const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/;
/** The form that almost every client sends, 2026-03-01T10:00:00.000Z, with a day that exists in every month. */
const COMMON_FORM = /^[1-9]\d{3}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** 0001-01-01T00:00:00.000Z */
const MIN_MS = -62_135_596_800_000;
/** 9999-12-31T23:59:59.999Z */
const MAX_MS = 253_402_300_799_999;

/**
 * Parses an ISO 8601 date to milliseconds since 1970. Time, fraction and offset are optional; without an offset the time
 * is UTC; fractions of a millisecond are truncated. Returns undefined for a date that does not exist, such as 2024-02-30,
 * and outside the years 0001 to 9999.
 */
export function parseInstant(text: string): number | undefined {
  // Date.parse is several times faster than parseGeneral, but it would parse 30 February as 1 March.
  return (COMMON_FORM.test(text) && Date.parse(text)) || parseGeneral(text);
}

function parseGeneral(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [
    ,
    year = 0,
    month = 0,
    day = 0,
    hours = 0,
    minutes = 0,
    seconds = 0,
    ,
    ,
    offsetHours = 0,
    offsetMinutes = 0,
  ] = match.map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hours, minutes, seconds, Number((match[7] ?? "").padEnd(3, "0").slice(0, 3)));
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000;
  const instant = date.getTime() - (match[8] === "-" ? -offsetMs : offsetMs);
  return instant >= MIN_MS && instant <= MAX_MS ? instant : undefined;
}
