import { Api, NOT_SIGNED_IN } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";
import { type Call, type OptionSpec, parseOrigin } from "./command.ts";
import { findRunningDev } from "./dev/dev-state.ts";
import { readSignIns, type SignIn } from "./sign-ins.ts";

export const TARGET_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: {
    value: "url",
    about: "server to read from; default: WHYTRACE_URL, the running `whytrace dev`, or the last login",
  },
  workspace: {
    value: "slug",
    about: "workspace to read from; default: WHYTRACE_WORKSPACE, or the one of `whytrace use`",
  },
  data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
};

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether two origins are the same server. All names of this machine are. */
export function isSameServer(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return (
    a.protocol === b.protocol &&
    a.port === b.port &&
    (a.hostname === b.hostname || (LOOPBACK.has(a.hostname) && LOOPBACK.has(b.hostname)))
  );
}

export const dataFolderOf = ({ args, config }: Call) => args.text("data") ?? config.dataFolder;

/**
 * A client that can read from the given server, or else from the chosen one: with WHYTRACE_READ_KEY, with the session of the
 * running dev, or with what `login` saved.
 */
export async function readingApi(call: Call, origin?: string): Promise<Api> {
  const { args, config } = call;
  const requested =
    origin ??
    args.url("url") ??
    (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL"));
  const workspace = args.text("workspace") ?? config.workspace;
  if (requested !== undefined && config.readKey !== undefined)
    return new Api(requested, { readKey: config.readKey, workspace });
  const dev = await findRunningDev(dataFolderOf(call));
  if (dev?.url !== undefined && dev.session !== undefined && isSameServer(requested ?? dev.url, dev.url))
    return new Api(dev.url, { session: dev.session, workspace });
  const live = Object.entries(await readSignIns(config.configFolder)).filter(
    ([, signIn]) => expiryOf(signIn) > Date.now(),
  );
  const latest = live.sort(([, one], [, other]) => expiryOf(other) - expiryOf(one));
  const [url, signIn] = latest.find(([one]) => requested === undefined || isSameServer(one, requested)) ?? [];
  if (url === undefined || signIn === undefined) {
    // Throws if the server cannot be reached: then signing in is not what is missing.
    if (requested !== undefined) await new Api(requested).request("GET", "/api/health");
    throw new CliError(requested === undefined ? "No server to read from" : `Not signed in to ${requested}`, {
      advice: NOT_SIGNED_IN,
      exitCode: EXIT.notSignedIn,
    });
  }
  if ("readKey" in signIn) return new Api(url, { readKey: signIn.readKey, workspace });
  return new Api(url, { session: signIn.session, workspace: workspace ?? signIn.workspace });
}

/** For what is about the person and not about a workspace. */
export function personalApi(api: Api): Api {
  if (api.hasSession) return api.inWorkspace(undefined);
  throw new CliError("A key belongs to one workspace", {
    advice: "Sign in with `whytrace login`, and unset WHYTRACE_READ_KEY.",
    exitCode: EXIT.notSignedIn,
  });
}

/** The server knows when a key expires. */
const expiryOf = (signIn: SignIn) =>
  "readKey" in signIn ? Number.MAX_SAFE_INTEGER : Date.parse(signIn.expiresAt);
