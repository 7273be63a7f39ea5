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
    if (!this.isJson) this.#stdout.write(`${this.#withoutControls(text)}\n`);
  }

  /** Prints a JSON value on one line if --json is set. */
  json(value: unknown): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(value).replace(CONTROLS, escapeControl)}\n`);
  }

  /**
   * Prints a piece of JSON as it is, with or without --json. Only for a terminal, control characters are escaped. Those that
   * JSON allows between values are kept, but a carriage return, which would overwrite the line, becomes a space.
   */
  rawJson(text: string): void {
    const forTerminal = (control: string) =>
      control === "\r" ? " " : /\s/.test(control) ? control : escapeControl(control);
    this.#stdout.write(this.#stdout.isTTY === true ? text.replace(CONTROLS, forTerminal) : text);
  }

  note(text: string): void {
    this.#stderr.write(`${this.#withoutControls(text)}\n`);
  }

  /** Keeps colours and line ends: nothing else in a text may control the terminal. */
  #withoutControls(text: string): string {
    return text.replace(COLOURS_AND_CONTROLS, (found) =>
      found === "\n" || (found.length > 1 && this.#hasColour) ? found : "",
    );
  }

  paint(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Redraws one line on a terminal; an empty text clears it. */
  status(text: string): void {
    if (this.#stderr.isTTY === true && !this.isJson)
      this.#stderr.write(`\r\u001b[K${this.#withoutControls(text)}`);
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

/** Control characters of ASCII and Latin-1, and those that reverse the direction of the text after them. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const COLOURS_AND_CONTROLS = new RegExp(`\\u001b\\[[\\d;]*m|${CONTROLS.source}`, "gu");

/** JSON.stringify escapes control characters of ASCII only. */
const escapeControl = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** One line of a trace's text, without the control characters that move the cursor or write to the clipboard. */
export function printable(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = stripVTControlCharacters(text).replace(/\s+/g, " ").replace(CONTROLS, "");
  if (line.length <= maxLength) return line;
  const characters = Array.from(line.slice(0, 2 * maxLength + 2));
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}
