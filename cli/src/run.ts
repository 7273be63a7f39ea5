import { CliError, EXIT } from "./cli-error.ts";
import { type Command, helpOf, parseCommand, usageFault } from "./command.ts";
import { adminLink } from "./commands/admin-link.ts";
import { dev } from "./commands/dev.ts";
import { doctor } from "./commands/doctor.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { seed } from "./commands/seed.ts";
import { tail } from "./commands/tail.ts";
import { trace } from "./commands/trace.ts";
import { type Config, readConfig } from "./config.ts";
import { Output, type Sink } from "./output.ts";
import { ownVersion } from "./own-version.ts";

const COMMANDS: Command[] = [dev, seed, tail, trace, login, logout, doctor, adminLink];

export interface Surroundings {
  config: Config;
  out: Sink;
  notes: Sink;
}

/** One call of the command line; the exit code is the answer. */
export async function run(
  args: string[],
  { config, out, notes }: Surroundings = { config: readConfig(), out: process.stdout, notes: process.stderr },
): Promise<number> {
  const output = new Output({
    out,
    notes,
    isJson: args.includes("--json"),
    isColourRefused: config.isColourRefused,
  });
  try {
    return await dispatch(args, config, output);
  } catch (error) {
    if (!(error instanceof CliError)) return unexpected(error, config, output);
    output.json({ error: error.message, ...(error.advice !== undefined && { advice: error.advice }) });
    output.note(`whytrace: ${error.message}${error.advice ? `\n${error.advice}` : ""}`);
    return error.exitCode;
  }
}

/** A fault nobody foresaw, or one of the database: its words, and on request where it happened. */
function unexpected(error: unknown, { isDebug }: Config, output: Output): number {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message || code || error.name : String(error);
  output.json({ error: text });
  output.note(`whytrace: ${text}`);
  if (isDebug && error instanceof Error) output.note(error.stack ?? "");
  return EXIT.failed;
}

async function dispatch(args: string[], config: Config, output: Output): Promise<number> {
  const [first] = args;
  if (first === "--version" || first === "-v") {
    output.line(ownVersion());
    output.json({ version: ownVersion() });
    return EXIT.ok;
  }
  const command = COMMANDS.find(({ name }) => name === args.slice(0, name.split(" ").length).join(" "));
  if (!command) {
    if (first !== undefined && first !== "--help" && first !== "-h" && first !== "help")
      throw usageFault(`There is no command ${JSON.stringify(first)}`);
    output.line(overview());
    return first === undefined ? EXIT.usage : EXIT.ok;
  }
  const given = parseCommand(
    command,
    args.slice(command.name.split(" ").length).map((one) => (one === "-h" ? "--help" : one)),
  );
  if (given.has("help")) {
    output.line(helpOf(command));
    return EXIT.ok;
  }
  return (await command.run({ given, config, output })) ?? EXIT.ok;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    "whytrace: see what your agent did, and why",
    "",
    ...COMMANDS.map(({ name, about }) => `  whytrace ${name.padEnd(width)}  ${about}`),
    "",
    "whytrace <command> --help tells more; --version prints the version.",
    "Exit codes: 0 done, 1 failed, 2 wrong use, 3 not signed in, 4 not found.",
  ].join("\n");
}
