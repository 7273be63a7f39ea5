import { isIPv4, isIPv6 } from "node:net";

/*
 * The plain definition of masking: what each type matches in a decoded text, by lookaround and without any thought of speed. It is
 * written apart from the product's matchers, so that the two check each other.
 */

export interface PlainRange {
  start: number;
  end: number;
  value: string;
}

const LOCAL = "A-Za-z0-9_%+\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f";
const BEFORE_AT = new RegExp(`[${LOCAL}][${LOCAL}.-]*$`);
const DOMAIN = /(?:[A-Za-z0-9-]*[A-Za-z0-9]\.)+[A-Za-z]{2,}(?!-*[A-Za-z0-9])/y;
const PHONE = /(?<![A-Za-z0-9])\+[1-9](?:[ \-.()/]{0,2}\d){7,14}(?![A-Za-z0-9])/g;
const IPV4 = /(?<![A-Za-z0-9.])\d{1,3}(?:\.\d{1,3}){3}(?![A-Za-z0-9]|\.\d)/g;
const IPV6 = /(?<![A-Za-z0-9])[\da-fA-F:]{2,}(?![A-Za-z0-9]|\.\d)/g;
const KEYS = [
  "sk-(?:proj|ant)-[\\w-]{20,}",
  "sk_live_[A-Za-z0-9]{16,}",
  "ghp_[A-Za-z0-9]{36,}",
  "glpat-[\\w-]{20,}",
  "xoxb-[A-Za-z0-9-]{12,}",
  "AKIA[A-Z0-9]{16}",
  "AIza[\\w-]{35}",
  "hf_[A-Za-z0-9]{30,}",
  "eyJ[\\w-]{10,}\\.(?:[\\w-]{10,})?\\.[\\w-]{10,}(?:\\.[\\w-]+){0,2}",
];
const SECRET = new RegExp(`(?<![A-Za-z0-9])(?:${KEYS.join("|")})(?![A-Za-z0-9])`, "g");
/** Together or in groups, the longest first. */
const CARDS = [
  "\\d{13,19}",
  "\\d{4}(?:[ -]\\d{4}){3}[ -]\\d{3}",
  "\\d{4}(?:[ -]\\d{4}){3}",
  "\\d{4}[ -]\\d{6}[ -]\\d{5}",
  "\\d{4}[ -]\\d{6}[ -]\\d{4}",
].map((groups) => new RegExp(`(?<![A-Za-z0-9])(?<!\\d\\.)${groups}(?![A-Za-z0-9]|\\.\\d)`, "y"));
const ISSUED = new RegExp(
  `^(?:${[
    "4\\d{12}|4\\d{15}|4\\d{18}|5[1-5]\\d{14}|3[47]\\d{13}|36\\d{12}|3[89]\\d{12}|30[0-5]\\d{11}",
    "222[1-9]\\d{12}|22[3-9]\\d{13}|2[3-6]\\d{14}|27[01]\\d{13}|2720\\d{12}|220[0-4]\\d{12,15}",
    "6011\\d{12}|6011\\d{15}|64[4-9]\\d{13}|64[4-9]\\d{16}|65\\d{14}|65\\d{17}|62\\d{14,17}|35(?:2[89]|[3-8]\\d)\\d{12,15}",
    "(?:5018|5020|5038|5893|6304|6759|676[123])\\d{9,15}",
  ].join("|")})$`,
);
/** Of the countries whose account numbers are made in trials. */
const IBAN_LENGTHS = { DE: 22, FR: 27, GB: 22, IT: 27, ES: 24, NL: 18, PL: 28, SE: 24, CH: 21, BR: 29 };
const IBAN = new RegExp(
  `(?<![A-Za-z0-9])(?:${Object.entries(IBAN_LENGTHS)
    .flatMap(([country, length]) => [
      `${country}\\d\\d[A-Z0-9]{${length - 4}}`,
      `${country}\\d\\d(?: [A-Z0-9]{4}){${Math.floor((length - 4) / 4)}}${length % 4 > 0 ? ` [A-Z0-9]{${length % 4}}` : ""}`,
    ])
    .join("|")})(?![A-Za-z0-9])`,
  "g",
);

const FINDERS = {
  secret: (text: string) => matches(text, SECRET),
  card: findCards,
  email: findEmails,
  phone: (text: string) => matches(text, PHONE),
  iban: (text: string) => matches(text, IBAN).filter(({ value }) => hasCheckDigits(value)),
  ip: (text: string) => [
    ...matches(text, IPV4).filter(({ value }) => isIPv4(value) && !isPrivate(value)),
    ...matches(text, IPV6).filter(({ value }) => isIPv6(value) && /^[23][\da-f]{3}:/i.test(value)),
  ],
};
export type PlainType = keyof typeof FINDERS;
export const PLAIN_TYPES: readonly PlainType[] = ["secret", "card", "email", "phone", "iban", "ip"];
export const isPlainType = (type: string): type is PlainType => Object.hasOwn(FINDERS, type);

/** What a type matches. The letter of an escape, such as that of a line break in JSON inside the text, is no letter. */
export const plainRanges = (text: string, type: PlainType): PlainRange[] =>
  FINDERS[type](
    text.replace(/\\(?:[bfnrt]|u[\da-fA-F]{4})/g, (letters) => "\\".padEnd(letters.length, "\u0001")),
  );

const matches = (text: string, pattern: RegExp): PlainRange[] =>
  [...text.matchAll(pattern)].map(({ 0: value, index }) => ({
    start: index,
    end: index + value.length,
    value,
  }));

function findCards(text: string): PlainRange[] {
  const found: PlainRange[] = [];
  for (let at = 0; at < text.length; ) {
    const value = CARDS.map((groups) => {
      groups.lastIndex = at;
      return groups.exec(text)?.[0] ?? "";
    }).find(isCard);
    if (value !== undefined) {
      found.push({ start: at, end: at + value.length, value });
      at += value.length;
    } else at += 1;
  }
  return found;
}

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  return ISSUED.test(digits) && isLuhn(digits) && !/^(\d)\1*$/.test(digits);
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function findEmails(text: string): PlainRange[] {
  const found: PlainRange[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const [local] = BEFORE_AT.exec(text.slice(0, at)) ?? [];
    DOMAIN.lastIndex = at + 1;
    const [domain] = DOMAIN.exec(text) ?? [];
    if (local && domain) {
      const value = `${local}@${domain}`;
      found.push({ start: at - local.length, end: at - local.length + value.length, value });
    }
  }
  return found;
}

/** ISO 7064, modulo 97. */
function hasCheckDigits(text: string): boolean {
  const account = text.replaceAll(" ", "");
  const digits = [...account.slice(4), ...account.slice(0, 4)].map((letter) => Number.parseInt(letter, 36));
  return BigInt(digits.join("")) % 97n === 1n;
}

const isPrivate = (address: string) =>
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[345]\d)\./.test(
    address,
  );
