import { parseArgs } from "node:util";
import { CliError, EXIT } from "./cli-error.ts";
import type { Config } from "./config.ts";
import type { Output } from "./print/output.ts";

export interface OptionSpec {
  /** Placeholder of the value in the help text; a boolean flag has none. */
  value?: string;
  about: string;
}

export interface Call {
  args: ParsedArgs;
  config: Config;
  output: Output;
}

export interface Command {
  name: string;
  about: string;
  /** Arguments as the help shows them: `<id>` is required, `[email]` is optional, `<path>...`, the last, takes one or more. */
  positionals: string[];
  options: Readonly<Record<string, OptionSpec>>;
  /** Printed below the options in the help text. */
  details?: string;
  /** Returns the exit code; undefined means 0. */
  run(call: Call): Promise<number | undefined>;
}

const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { about: "print JSON, one value per line" },
  help: { about: "print this help" },
};

/** Parsed options and arguments of one invocation. */
export class ParsedArgs {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: string[];

  constructor(values: Readonly<Record<string, string | boolean | undefined>>, positionals: string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== false;
  }

  integer(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw usageError(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
  }

  url(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseOrigin(text, `--${name}`);
  }
}

export function parseOrigin(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`${source} must be a URL such as http://localhost:3000, not ${JSON.stringify(text)}`);
  return url.origin;
}

export const usageError = (text: string, command?: string) =>
  new CliError(text, {
    advice: `Run \`whytrace ${command ? `${command} ` : ""}--help\` for usage.`,
    exitCode: EXIT.usage,
  });

export function parseCommand({ name, options, positionals }: Command, args: string[]): ParsedArgs {
  const specs = Object.entries({ ...options, ...COMMON_OPTIONS });
  try {
    const parsed = parseArgs({
      args,
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        specs.map(([option, { value }]) => [
          option,
          { type: value === undefined ? "boolean" : "string" } as const,
        ]),
      ),
    });
    const parsedArgs = new ParsedArgs(parsed.values, parsed.positionals);
    if (parsedArgs.has("help")) return parsedArgs;
    const required = positionals.filter((one) => one.startsWith("<"));
    const missing = required[parsed.positionals.length];
    if (missing !== undefined) throw new Error(`Missing argument ${missing}`);
    const tooMany = parsed.positionals[positionals.length];
    if (tooMany !== undefined && !positionals.at(-1)?.endsWith("..."))
      throw new Error(`Unexpected argument ${JSON.stringify(tooMany)}`);
    return parsedArgs;
  } catch (error) {
    if (error instanceof Error)
      throw usageError(error.message.split(". To specify")[0] ?? error.message, name);
    throw error;
  }
}

export function formatHelp({ name, about, positionals, options, details }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(
    ([option, spec]) =>
      [`--${option}${spec.value === undefined ? "" : ` <${spec.value}>`}`, spec.about] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    about,
    "",
    `Usage: whytrace ${[name, ...positionals, "[options]"].join(" ")}`,
    "",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(details === undefined ? [] : ["", details]),
  ].join("\n");
}
