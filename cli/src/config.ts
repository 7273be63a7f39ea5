import { homedir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Config = ReturnType<typeof readConfig>;

/** The only reader of the environment in this package. */
export function readConfig(env: Environment = process.env) {
  const given = (name: string) => env[name] || undefined;
  return {
    dataFolder: given("WHYTRACE_DATA") ?? dataFolder(given),
    /** Where the sessions of `login` are kept. */
    configFolder: join(given("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "whytrace"),
    url: given("WHYTRACE_URL"),
    apiKey: given("WHYTRACE_API_KEY"),
    databaseUrl: given("DATABASE_URL"),
    publicUrl: given("PUBLIC_URL"),
    isColourRefused: given("NO_COLOR") !== undefined || given("TERM") === "dumb",
    /** Unforeseen errors are printed with their place. */
    isDebug: given("WHYTRACE_DEBUG") !== undefined,
    /** What a child process needs to run at all. */
    childEnvironment: { PATH: env.PATH, HOME: env.HOME, SystemRoot: env.SystemRoot, LC_ALL: "C", TZ: "UTC" },
    all: env,
  };
}

function dataFolder(given: (name: string) => string | undefined): string {
  // PostgreSQL then runs as another user, who cannot look into root's home.
  if (process.getuid?.() === 0) return "/var/lib/whytrace";
  if (process.platform === "darwin") return join(homedir(), "Library/Application Support/whytrace");
  const local = join(homedir(), ".local/share");
  const base = process.platform === "win32" ? given("LOCALAPPDATA") : given("XDG_DATA_HOME");
  return join(base ?? local, "whytrace");
}
