import { stripVTControlCharacters, styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Where a command writes: results to `out`, everything about them to `notes`. */
export class Output {
  readonly isJson: boolean;
  readonly #out: Sink;
  readonly #notes: Sink;
  readonly #hasColour: boolean;

  constructor({
    out,
    notes,
    isJson,
    isColourRefused,
  }: { out: Sink; notes: Sink; isJson: boolean; isColourRefused: boolean }) {
    this.#out = out;
    this.#notes = notes;
    this.isJson = isJson;
    this.#hasColour = out.isTTY === true && !isJson && !isColourRefused;
  }

  /** A line for people; with --json there are none. */
  line(text = ""): void {
    if (!this.isJson) this.#out.write(`${text}\n`);
  }

  /** One JSON value on one line; without --json there are none. */
  json(value: unknown): void {
    if (this.isJson) this.#out.write(`${JSON.stringify(value)}\n`);
  }

  note(text: string): void {
    this.#notes.write(`${text}\n`);
  }

  paint(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text, { validateStream: false }) : text;
  }

  /** A bar that is drawn over itself; nothing where nobody looks. */
  progress(done: number, total: number, what: string): void {
    if (this.#notes.isTTY !== true || this.isJson) return;
    const width = 28;
    const filled = Math.round((done / Math.max(1, total)) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    this.#notes.write(`\r${bar} ${done} of ${total} ${what}${done >= total ? "\n" : ""}`);
  }
}

/** Text from a trace, safe to print: it must not move the cursor or write to the clipboard. */
export function printable(text: string): string {
  const visible = stripVTControlCharacters(text).replace(/\s+/g, " ");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return visible.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
