import { parseArgs } from "node:util";
import { CliError, EXIT } from "./cli-error.ts";
import type { Config } from "./config.ts";
import type { Output } from "./output.ts";

export interface OptionSpec {
  /** What stands for the value in the help; a flag has none. */
  value?: string;
  about: string;
}

export interface Call {
  given: Given;
  config: Config;
  output: Output;
}

export interface Command {
  name: string;
  about: string;
  /** Arguments as the help shows them, such as "<id>"; `[…]` may be left out. */
  positionals: string[];
  options: Readonly<Record<string, OptionSpec>>;
  more?: string;
  /** The exit code; none is 0. */
  run(call: Call): Promise<number | undefined>;
}

const EVERYWHERE: Readonly<Record<string, OptionSpec>> = {
  json: { about: "print JSON, one value a line" },
  help: { about: "print this" },
};

/** Options and arguments as they were given. */
export class Given {
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

  wholeNumber(name: string, { least, most }: { least: number; most: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw usageFault(
      `--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`,
    );
  }

  url(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : originOf(text, `--${name}`);
  }
}

export function originOf(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageFault(
      `${where} must be an address such as http://localhost:3000, not ${JSON.stringify(text)}`,
    );
  return url.origin;
}

export const usageFault = (text: string, command?: string) =>
  new CliError(text, {
    advice: `whytrace ${command ? `${command} ` : ""}--help tells more.`,
    exitCode: EXIT.usage,
  });

export function parseCommand({ name, options, positionals }: Command, args: string[]): Given {
  const specs = Object.entries({ ...options, ...EVERYWHERE });
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
    const given = new Given(parsed.values, parsed.positionals);
    if (given.has("help")) return given;
    const required = positionals.filter((one) => one.startsWith("<"));
    const missing = required[parsed.positionals.length];
    if (missing !== undefined) throw new Error(`${missing} is missing`);
    const tooMany = parsed.positionals[positionals.length];
    if (tooMany !== undefined) throw new Error(`Unexpected argument ${JSON.stringify(tooMany)}`);
    return given;
  } catch (error) {
    if (error instanceof Error)
      throw usageFault(error.message.split(". To specify")[0] ?? error.message, name);
    throw error;
  }
}

export function helpOf({ name, about, positionals, options, more }: Command): string {
  const rows = Object.entries({ ...options, ...EVERYWHERE }).map(
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
    ...(more === undefined ? [] : ["", more]),
  ].join("\n");
}
