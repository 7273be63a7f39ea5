/** How a value of each type that is masked looks, with a number in it. */
const VALUES: Readonly<Record<string, { of(digits: string): string; found: RegExp }>> = {
  email: { of: (digits) => `canary${digits}@example.com`, found: /canary(\d{5})/gi },
  phone: { of: (digits) => `+491517700${digits}`, found: /1517700(\d{5})/gi },
  card: { of: (digits) => withCheckDigit(`411122${digits}0000`), found: /411122(\d{5})0000/gi },
  iban: { of: (digits) => germanAccount(`70070070${digits}00000`), found: /70070070(\d{5})00000/gi },
  ip: {
    of: (digits) => `9.${digits.slice(0, 1)}.1${digits.slice(1, 3)}.1${digits.slice(3)}`,
    found: /\b9\.(\d)\.1(\d\d)\.1(\d\d)\b/gi,
  },
  secret: { of: (digits) => `AKIACANARY${digits}QQQQQ`, found: /AKIACANARY(\d{5})/gi },
  pattern: { of: (digits) => `CAN-${digits}`, found: /CAN-(\d{5})/gi },
  key: { of: (digits) => `hunter${digits}`, found: /hunter(\d{5})/gi },
};
/** The value under the name of a secret is none by itself. */
const IN_TEXTS = Object.entries(VALUES).filter(([type]) => type !== "key");

/** The rule that masks the values of the type pattern. */
export const CANARY_RULE = {
  name: "canary",
  type: "pattern",
  pattern: "CAN-\\d{5}",
  source: "*",
  method: "hash",
};

/** Values of each type that is masked, which tell where they were sent. Their numbers begin with `first`. */
export class Canaries {
  readonly #first: number;
  readonly #places: string[] = [];

  constructor(first = 0) {
    this.#first = first;
  }

  get count() {
    return this.#places.length;
  }

  /** A text with a value of each type. */
  text(place: string): string {
    const digits = this.#digits(place);
    return IN_TEXTS.map(([, { of }]) => of(digits)).join(", ");
  }

  /** An object with the same as a value, as a key, in JSON inside a string, and with the name of a secret. */
  payload(place: string) {
    const text = this.text(place);
    const digits = this.#digits(`${place}, a key`);
    const password = VALUES.key?.of(digits) ?? "";
    return { text, [this.text(`${place}, a name`)]: 1, json: JSON.stringify({ text, password }), password };
  }

  /** Where the values were sent that a text contains. */
  foundIn(text: string): string[] {
    const found = new Set<string>();
    for (const { type, number } of canariesIn(text)) {
      const place = this.#places[number - this.#first];
      if (place !== undefined) found.add(`${type} of ${place}`);
    }
    return [...found];
  }

  #digits(place: string): string {
    this.#places.push(place);
    return String(this.#first + this.#places.length - 1).padStart(5, "0");
  }
}

/** All values in a text, whoever made them. Case is ignored: what can be searched is stored in lower case. */
export function* canariesIn(text: string): Generator<{ type: string; number: number }> {
  for (const [type, { found }] of Object.entries(VALUES))
    for (const match of text.matchAll(found)) yield { type, number: Number(match.slice(1).join("")) };
}

/** Luhn's algorithm. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? 2 * Number(digit) : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** With the check digits of ISO 13616: the country as numbers behind the account, modulo 97. */
function germanAccount(account: string): string {
  const rest = BigInt(`${account}131400`) % 97n;
  return `DE${String(98n - rest).padStart(2, "0")}${account}`;
}
