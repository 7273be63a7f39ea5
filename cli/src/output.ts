import { stripVTControlCharacters, styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Writes results to stdout, and progress and errors to stderr. */
export class Output {
  readonly isJson: boolean;
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #hasColour: boolean;

  constructor({
    stdout,
    stderr,
    isJson,
    isColourDisabled,
  }: { stdout: Sink; stderr: Sink; isJson: boolean; isColourDisabled: boolean }) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isJson = isJson;
    this.#hasColour = stdout.isTTY === true && !isJson && !isColourDisabled;
  }

  /** Prints a line of text, unless --json is set. */
  line(text = ""): void {
    if (!this.isJson) this.#stdout.write(`${text}\n`);
  }

  /** Prints a JSON value on one line if --json is set. */
  json(value: unknown): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(value)}\n`);
  }

  note(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  paint(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Redraws a progress bar on a terminal. */
  progress(done: number, total: number, what: string): void {
    if (this.#stderr.isTTY !== true || this.isJson) return;
    const width = 28;
    const filled = Math.round((done / Math.max(1, total)) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    this.#stderr.write(`\r${bar} ${done} of ${total} ${what}${done >= total ? "\n" : ""}`);
  }
}

/** Removes control characters from a trace's text: it must not move the cursor or write to the clipboard. */
export function printable(text: string): string {
  const visible = stripVTControlCharacters(text).replace(/\s+/g, " ");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  return visible.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
