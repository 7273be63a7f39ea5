import { homedir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Config = ReturnType<typeof readConfig>;

/** The only reader of the environment in this package. */
export function readConfig(env: Environment = process.env) {
  const read = (name: string) => env[name] || undefined;
  return {
    dataFolder: read("WHYTRACE_DATA") ?? dataFolder(read),
    /** Holds the sessions saved by `login`. */
    configFolder: join(read("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "whytrace"),
    url: read("WHYTRACE_URL"),
    apiKey: read("WHYTRACE_API_KEY"),
    readKey: read("WHYTRACE_READ_KEY"),
    /** The slug of the workspace to read from. */
    workspace: read("WHYTRACE_WORKSPACE"),
    /** The command that opens an address. */
    browser: read("BROWSER"),
    /** Whether the person sits at another machine. */
    isRemote: read("SSH_CONNECTION") !== undefined,
    databaseUrl: read("DATABASE_URL"),
    publicUrl: read("PUBLIC_URL"),
    /** For channels of `dev`. */
    allowedNetworks: read("WEBHOOK_ALLOWED_NETWORKS"),
    isColourDisabled: read("NO_COLOR") !== undefined || read("TERM") === "dumb",
    /** Prints the stack of unexpected errors. */
    isDebug: read("WHYTRACE_DEBUG") !== undefined,
    /** The minimal environment of child processes. */
    childEnvironment: { PATH: env.PATH, HOME: env.HOME, SystemRoot: env.SystemRoot, LC_ALL: "C", TZ: "UTC" },
    all: env,
  };
}

function dataFolder(read: (name: string) => string | undefined): string {
  // Started by root, PostgreSQL runs as another user, which cannot read root's home directory.
  if (process.getuid?.() === 0) return "/var/lib/whytrace";
  if (process.platform === "darwin") return join(homedir(), "Library/Application Support/whytrace");
  const local = join(homedir(), ".local/share");
  const base = process.platform === "win32" ? read("LOCALAPPDATA") : read("XDG_DATA_HOME");
  return join(base ?? local, "whytrace");
}
