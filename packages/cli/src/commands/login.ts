import { Api } from "../api.ts";
import { type Call, type Command, parseOrigin, usageError } from "../command.ts";
import type { Config } from "../config.ts";
import { askSecret } from "../login/ask.ts";
import { logInByBrowser } from "../login/log-in-by-browser.ts";
import { logInByPassword } from "../login/log-in-by-password.ts";
import type { Output } from "../print/output.ts";
import { type SessionSignIn, saveSignIn } from "../sign-ins.ts";
import { asStarted } from "../started-as.ts";

export const login: Command = {
  name: "login",
  about: "sign in to a server, so that `traces`, `why` and others can read from it",
  positionals: [],
  options: {
    url: { value: "url", about: "URL of the server; default: WHYTRACE_URL" },
    email: { value: "email", about: "sign in with the password of this address instead of the browser" },
    "with-key": { about: "save an API key with the scope read instead of signing in" },
    "no-browser": { about: "print the address instead of opening it, and read the code that its page shows" },
  },
  details:
    "Opens a page of the server, on which you choose the workspace. With --email or --with-key, asks for the password or key, or reads it from standard input. A session lasts 7 days. It is stored in a file that only you can read.",
  async run(call) {
    const { args, config, output } = call;
    const url =
      args.url("url") ?? (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL"));
    if (url === undefined) throw usageError("Missing --url: the URL of the server", "login");
    if (args.has("with-key")) return saveKey(url, config, output);
    const email = args.text("email");
    const signIn = email === undefined ? await byBrowser(call, url) : await logInByPassword(url, email);
    await saveSignIn(config.configFolder, url, signIn);
    const { workspace, expiresAt } = signIn;
    const where = workspace === undefined ? url : `${url}/w/${workspace}`;
    output.line(`Signed in to ${where} as ${signIn.email} until ${expiresAt.slice(0, 10)}.`);
    if (workspace === undefined)
      output.note(asStarted("`whytrace workspaces` lists yours, `whytrace use <slug>` chooses one."));
    output.json({ url, email: signIn.email, workspace: workspace ?? null, expiresAt });
  },
};

async function byBrowser(call: Call, url: string): Promise<SessionSignIn> {
  const { token, expiresAt, user, workspace } = await logInByBrowser(call, url);
  return { email: user.email, session: token, expiresAt, workspace: workspace.slug };
}

/** Saves a key that the server accepts for reading. */
async function saveKey(url: string, config: Config, output: Output): Promise<undefined> {
  const readKey = (await askSecret("API key")).trim();
  await new Api(url, { readKey }).call("GET /api/traces", { query: { limit: 1 } });
  await saveSignIn(config.configFolder, url, { readKey });
  output.line(`Saved the key for ${url}.`);
  output.json({ url });
}
