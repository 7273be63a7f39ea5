import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Api, errorOf, isRecord, sessionFrom } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, originOf, usageFault } from "../command.ts";
import { keepSignIn } from "../sign-ins.ts";

const SESSION_MS = 7 * 24 * 3_600_000;

export const login: Command = {
  name: "login",
  about: "sign in at a service, so that tail and trace can read from it",
  positionals: [],
  options: {
    url: { value: "address", about: "the service; otherwise WHYTRACE_URL" },
    email: { value: "address", about: "your address; otherwise you are asked" },
  },
  more: "The password is asked for, or read from standard input. The session lasts 7 days, in a file that only you can read.",
  async run({ given, config, output }) {
    const url =
      given.url("url") ?? (config.url === undefined ? undefined : originOf(config.url, "WHYTRACE_URL"));
    if (url === undefined) throw usageFault("--url is missing: where is the service?", "login");
    const email = given.text("email") ?? (await ask("E-mail: "));
    const password = await askPassword();
    const answer = await new Api(url).request("POST", "/api/auth/login", { email, password });
    const session = sessionFrom(answer.headers);
    if (answer.status !== 200 || session === undefined)
      throw new CliError(`Signing in at ${url} failed: ${errorOf(answer)}`, {
        exitCode: answer.status === 401 ? EXIT.notSignedIn : EXIT.failed,
      });
    const { body } = await new Api(url, { session }).request("GET", "/api/auth/session");
    const expiresAt =
      isRecord(body) && typeof body.expiresAt === "string"
        ? body.expiresAt
        : new Date(Date.now() + SESSION_MS).toISOString();
    await keepSignIn(config.configFolder, url, { email, session, expiresAt });
    output.line(`Signed in at ${url} as ${email}, until ${expiresAt.slice(0, 10)}.`);
    output.json({ url, email, expiresAt });
  },
};

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw usageFault("--email is missing, and there is no terminal to ask on", "login");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** From a terminal without showing it; from a pipe, its first line. */
async function askPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write("Password: ");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY === true });
  try {
    for await (const line of terminal) return line;
    throw usageFault("There is no password on standard input", "login");
  } finally {
    terminal.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
