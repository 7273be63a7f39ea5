import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Api, errorText, isRecord, sessionFrom } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../command.ts";
import type { Config } from "../config.ts";
import type { Output } from "../print/output.ts";
import { saveSignIn } from "../sign-ins.ts";

const SESSION_MS = 7 * 24 * 3_600_000;

export const login: Command = {
  name: "login",
  about: "sign in to a server, so that `traces`, `why` and others can read from it",
  positionals: [],
  options: {
    url: { value: "url", about: "URL of the server; default: WHYTRACE_URL" },
    email: { value: "email", about: "your email address; asked for if missing" },
    "with-key": { about: "save an API key with the scope read instead of signing in" },
  },
  details:
    "Asks for the password or key, or reads it from standard input. A session lasts 7 days. It is stored in a file that only you can read.",
  async run({ args, config, output }) {
    const url =
      args.url("url") ?? (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL"));
    if (url === undefined) throw usageError("Missing --url: the URL of the server", "login");
    if (args.has("with-key")) return saveKey(url, config, output);
    const email = args.text("email") ?? (await ask("Email: "));
    const password = await askSecret("Password");
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

/** Saves a key that the server accepts for reading. */
async function saveKey(url: string, config: Config, output: Output): Promise<undefined> {
  const readKey = (await askSecret("API key")).trim();
  await new Api(url, { readKey }).get("/api/traces?limit=1");
  await saveSignIn(config.configFolder, url, { readKey });
  output.line(`Saved the key for ${url}.`);
  output.json({ url });
}

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw usageError("Missing --email: there is no terminal to ask for it", "login");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** Reads a secret from the terminal without echo, or the first line of a pipe. */
async function askSecret(what: "Password" | "API key"): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(`${what}: `);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: discard, terminal: stdin.isTTY === true });
  try {
    for await (const line of terminal) return line;
    throw usageError(`No ${what === "Password" ? "password" : "key"} on standard input`, "login");
  } finally {
    terminal.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
