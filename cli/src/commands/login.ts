import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Api, errorText, isRecord, sessionFrom } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../command.ts";
import { saveSignIn } from "../sign-ins.ts";

const SESSION_MS = 7 * 24 * 3_600_000;

export const login: Command = {
  name: "login",
  about: "sign in to a server, so that `tail`, `traces`, `trace` and `drift` can read from it",
  positionals: [],
  options: {
    url: { value: "url", about: "URL of the server; default: WHYTRACE_URL" },
    email: { value: "email", about: "your email address; asked for if missing" },
  },
  details:
    "Asks for the password, or reads it from standard input. The session lasts 7 days and is stored in a file that only you can read.",
  async run({ args, config, output }) {
    const url =
      args.url("url") ?? (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL"));
    if (url === undefined) throw usageError("Missing --url: the URL of the server", "login");
    const email = args.text("email") ?? (await ask("Email: "));
    const password = await askPassword();
    const response = await new Api(url).request("POST", "/api/auth/login", { email, password });
    const session = sessionFrom(response.headers);
    if (response.status !== 200 || session === undefined)
      throw new CliError(`Sign-in to ${url} failed: ${errorText(response)}`, {
        exitCode: response.status === 401 ? EXIT.notSignedIn : EXIT.failed,
      });
    const { body } = await new Api(url, { session }).request("GET", "/api/auth/session");
    const expiresAt =
      isRecord(body) && typeof body.expiresAt === "string"
        ? body.expiresAt
        : new Date(Date.now() + SESSION_MS).toISOString();
    await saveSignIn(config.configFolder, url, { email, session, expiresAt });
    output.line(`Signed in to ${url} as ${email} until ${expiresAt.slice(0, 10)}.`);
    output.json({ url, email, expiresAt });
  },
};

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw usageError("Missing --email: there is no terminal to ask for it", "login");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** Reads the password from the terminal without echo, or the first line of a pipe. */
async function askPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write("Password: ");
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: discard, terminal: stdin.isTTY === true });
  try {
    for await (const line of terminal) return line;
    throw usageError("No password on standard input", "login");
  } finally {
    terminal.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
