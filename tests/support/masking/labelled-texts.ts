import type { Random } from "@whytrace/demo";

/** A value in a text: what it is, and where. */
interface Label {
  type: string;
  start: number;
  end: number;
}

interface LabelledText {
  text: string;
  labels: Label[];
}

interface Country {
  /** How numbers are written with the country's code: each # is a digit, and the first of a group is not 0. */
  phones: readonly [string, ...string[]];
  /** How people in the country write them, which is not looked for. */
  national: string;
  /** The parts of an account number after the check digits: # a digit, A a letter. Undefined: the country has no IBAN. */
  account?: string;
}

const COUNTRIES: Readonly<Record<string, Country>> = {
  DE: {
    phones: ["+49 30 ########", "+49 151 ########", "+49 (0)89 #######"],
    national: "030 / ########",
    account: "##################",
  },
  FR: {
    phones: ["+33 6 ## ## ## ##", "+33.1.##.##.##.##"],
    national: "06 ## ## ## ##",
    account: "##########A#########A##",
  },
  GB: {
    phones: ["+44 20 #### ####", "+447#########"],
    national: "020 #### ####",
    account: "AAAA##############",
  },
  IT: {
    phones: ["+39 06 ########", "+39 3## #######"],
    national: "06 ########",
    account: "A######################",
  },
  ES: {
    phones: ["+34 6## ### ###", "+34-91-###-##-##"],
    national: "91 ### ## ##",
    account: "####################",
  },
  NL: { phones: ["+31 20 ### ####", "+31 6 ########"], national: "020-#######", account: "AAAA##########" },
  PL: { phones: ["+48 ### ### ###"], national: "22 ### ## ##", account: "########################" },
  SE: {
    phones: ["+46 70 ### ## ##", "+46-8-### ## ##"],
    national: "08-### ## ##",
    account: "####################",
  },
  CH: {
    phones: ["+41 44 ### ## ##", "+4179#######"],
    national: "044 ### ## ##",
    account: "#################",
  },
  US: { phones: ["+1 (###) ###-####", "+1-###-###-####", "+1##########"], national: "(###) ###-####" },
  BR: { phones: ["+55 11 9####-####"], national: "(11) 9####-####", account: "#######################A#" },
  IN: { phones: ["+91 9#### #####", "+91-9#########"], national: "09#########" },
};
const CODES = Object.keys(COUNTRIES);

const digit = (random: Random) => String(random.between(0, 9));
const letters = (random: Random, alphabet: string, count: number) =>
  Array.from({ length: count }, () => alphabet[random.between(0, alphabet.length - 1)]).join("");
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALPHANUMERIC = `${UPPER}abcdefghijklmnopqrstuvwxyz0123456789`;
const HEX = "0123456789abcdef";

/** A # at the beginning of a group is no zero, so that numbers look like those that are assigned. */
const written = (random: Random, format: string) =>
  format.replace(/(?<![\d#])#|#|A/g, (sign, index: number) =>
    sign === "A"
      ? letters(random, UPPER, 1)
      : index > 0 && format[index - 1] === "#"
        ? digit(random)
        : String(random.between(1, 9)),
  );

function pickCode(random: Random): string {
  return CODES[random.between(0, CODES.length - 1)] ?? "DE";
}

function phone(random: Random): string {
  return written(random, random.pick(COUNTRIES[pickCode(random)]?.phones ?? ["+49 30 ########"]));
}

function iban(random: Random): string {
  let code = pickCode(random);
  while (!COUNTRIES[code]?.account) code = pickCode(random);
  const account = written(random, COUNTRIES[code]?.account ?? "");
  const numbers = [...`${account}${code}00`].map((sign) => Number.parseInt(sign, 36)).join("");
  const check = String(98n - (BigInt(numbers) % 97n)).padStart(2, "0");
  const whole = `${code}${check}${account}`;
  return random.chance(0.5) ? whole : (whole.match(/.{1,4}/g) ?? []).join(" ");
}

/** First digits and lengths of issuers. */
const CARDS = [
  ["4", 16],
  ["51", 16],
  ["55", 16],
  ["2221", 16],
  ["34", 15],
  ["37", 15],
  ["36", 14],
  ["6011", 16],
  ["3530", 16],
  ["62", 16],
] as const;

function card(random: Random): string {
  const [first, length] = random.pick(CARDS);
  let digits: string = first;
  while (digits.length < length - 1) digits += digit(random);
  const whole = `${digits}${checkDigit(digits)}`;
  if (random.chance(0.4)) return whole;
  const separator = random.chance(0.5) ? " " : "-";
  const groups =
    length === 16 ? /(.{4})(.{4})(.{4})(.{4})/ : length === 15 ? /(.{4})(.{6})(.{5})/ : /(.{4})(.{6})(.{4})/;
  return (groups.exec(whole) ?? []).slice(1).join(separator);
}

function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, sign, index) => {
    const value = index % 2 === 0 ? 2 * Number(sign) : Number(sign);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

const NAMES = [
  "ann",
  "jörg.müller",
  "o.brien",
  "maria-luisa",
  "li_wei",
  "s.kowalska+shop",
  "j2k",
  "françoise",
] as const;
const DOMAINS = [
  "example.com",
  "mail.example.co.uk",
  "firma.de",
  "uni-köln.example",
  "posteo.example.org",
] as const;
const email = (random: Random) =>
  `${random.pick(NAMES)}${random.between(1, 999)}@${random.pick(DOMAINS).replace("ö", "oe")}`;

const ip = (random: Random) =>
  random.chance(0.7)
    ? `${random.pick([8, 46, 81, 93, 145, 193, 203])}.${random.between(1, 254)}.${random.between(1, 254)}.${random.between(1, 254)}`
    : `2a02:${letters(random, HEX, 4)}:${letters(random, HEX, 4)}::${letters(random, "123456789abcdef", 2)}`;

const SECRETS: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  (random) => `sk-proj-${letters(random, ALPHANUMERIC, 48)}`,
  (random) => `sk-ant-api03-${letters(random, ALPHANUMERIC, 40)}`,
  (random) => `ghp_${letters(random, ALPHANUMERIC, 36)}`,
  (random) => `glpat-${letters(random, ALPHANUMERIC, 20)}`,
  (random) => `xoxb-${letters(random, "0123456789", 12)}-${letters(random, ALPHANUMERIC, 24)}`,
  (random) => `AKIA${letters(random, `${UPPER}234567`, 16)}`,
  (random) => `AIza${letters(random, ALPHANUMERIC, 35)}`,
  (random) => `hf_${letters(random, ALPHANUMERIC, 34)}`,
  (random) => `sk_live_${letters(random, ALPHANUMERIC, 24)}`,
  (random) =>
    `eyJ${letters(random, ALPHANUMERIC, 20)}.eyJ${letters(random, ALPHANUMERIC, 40)}.${letters(random, ALPHANUMERIC, 43)}`,
];

const VALUES: Readonly<Record<string, (random: Random) => string>> = {
  email,
  phone,
  card,
  iban,
  ip,
  secret: (random) => random.pick(SECRETS)(random),
};
const TYPES = Object.keys(VALUES);

/** What looks like one of these values and is none. */
const DECOYS: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  (random) => String(1_700_000_000_000 + random.between(0, 99_999_999)),
  (random) => `${1_700_000_000 + random.between(0, 9_999)}${letters(random, "0123456789", 6)}`,
  (random) =>
    `${letters(random, HEX, 8)}-${letters(random, HEX, 4)}-4${letters(random, HEX, 3)}-a${letters(random, HEX, 3)}-${letters(random, HEX, 12)}`,
  (random) => letters(random, HEX, 40),
  (random) => `ORD-${letters(random, "0123456789", 8)}`,
  (random) => `v${random.between(1, 30)}.${random.between(0, 20)}.${random.between(0, 9)}`,
  (random) => `192.168.${random.between(0, 255)}.${random.between(1, 254)}`,
  (random) => `10.${random.between(0, 255)}.0.${random.between(1, 254)}`,
  () => "@types/node",
  () => "max_tokens: 4096",
  (random) => `${random.between(1, 999)}.${letters(random, "0123456789", 2)} EUR`,
  (random) => `0.${letters(random, "0123456789", 16)}`,
  (random) => `+${random.between(1, 99)} %`,
  (random) => `1+${letters(random, "123456789", 3)}`,
  (random) =>
    `2026-${String(random.between(1, 12)).padStart(2, "0")}-1${digit(random)}T12:3${digit(random)}:00Z`,
  (random) => `user@${letters(random, "abcdef", 6)}`,
  (random) => `DE${letters(random, "0123456789", 2)} is a text`,
  (random) => letters(random, ALPHANUMERIC, 200),
];

const SENTENCES = [
  "Please call the customer back:",
  "The invoice was paid with",
  "Überweisung an",
  "contact =",
  '{"value":',
  "Ticket 4711, see",
  "from host",
  "réponse envoyée à",
] as const;

/** Texts of sentences, values and what only looks like values, with the places of the values. */
export function labelledText(random: Random): LabelledText {
  const labels: Label[] = [];
  let text = "";
  for (let parts = random.between(1, 4); parts > 0; parts -= 1) {
    text += `${random.pick(SENTENCES)} `;
    const type = TYPES[random.between(0, TYPES.length - 1)] ?? "email";
    const isValue = random.chance(0.5);
    const value = isValue ? (VALUES[type]?.(random) ?? "") : random.pick(DECOYS)(random);
    if (isValue) labels.push({ type, start: text.length, end: text.length + value.length });
    text += value + random.pick([". ", ", ", "\n", ' "', ") "]);
  }
  return { text, labels };
}

/** A telephone number as people in a country write it. */
export const nationalPhone = (random: Random): string =>
  written(random, COUNTRIES[pickCode(random)]?.national ?? "");
