import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { Api, isRecord } from "../api.ts";
import { checkDecisions } from "../check-decisions.ts";
import { type Call, type Command, parseOrigin } from "../command.ts";
import { findDatabase } from "../database-target.ts";
import { type DevState, findRunningDev } from "../dev/dev-state.ts";
import { findPortUser, isPortFree } from "../dev/ports.ts";
import { postgresBinaries } from "../dev/postgres-binaries.ts";
import { postgresUser } from "../dev/postgres-user.ts";
import { isKeyValid } from "../dev/sign-in.ts";
import { checkOtlp } from "../otlp/check-otlp.ts";
import { type CheckResult, type Finding, failedCheck, printFinding } from "../print/finding.ts";
import { readSignIns } from "../sign-ins.ts";
import { dataFolderOf, isSameServer } from "../target.ts";
import { withOperator } from "../with-operator.ts";

const DEFAULT_PORT = 3000;
const MIN_POSTGRES_VERSION = 15;
const MAX_SKEW_MS = 5_000;

export const doctor: Command = {
  name: "doctor",
  about: "find problems and say how to fix them",
  positionals: [],
  options: {
    port: { value: "n", about: `port to check (default ${DEFAULT_PORT})` },
    url: {
      value: "url",
      about: "server to check; default: WHYTRACE_URL, or the running `whytrace dev`",
    },
    key: { value: "key", about: "API key to check; default: WHYTRACE_API_KEY" },
    database: { value: "url", about: "database to check; default: DATABASE_URL" },
    otlp: { about: "check OpenTelemetry instead: the exporter's variables, and what arrived lately" },
    decisions: { about: "fail unless a run with a decision has arrived in the last 10 minutes" },
    data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
  },
  details: "Changes nothing. Exits with 1 if a check fails.",
  async run(call) {
    const { args, config, output } = call;
    const dev = await findRunningDev(dataFolderOf(call));
    const url = serverUrl(call, dev);
    const findings = args.has("otlp")
      ? checkOtlp(call, { url, key: args.text("key") ?? config.apiKey ?? keyOfDev(url, dev) })
      : checkAll(call, dev);
    let hasFailed = false;
    for await (const finding of findings) {
      if (finding.status === "fail") hasFailed = true;
      output.json(finding);
      printFinding(finding, output);
    }
    return hasFailed ? 1 : 0;
  },
};

async function* checkAll(call: Call, dev: DevState | undefined): AsyncGenerator<Finding> {
  const checks: [string, () => Promise<CheckResult>][] = [
    ["Node.js", checkNode],
    ...checksOfDev(call, dev),
    ["Configuration", () => checkConfiguration(call)],
    ["Secrets", () => checkSecrets(call)],
    ["Database", () => checkDatabase(call)],
    ["Service", () => checkServer(call, dev)],
    ["Clock", () => checkClock(call, dev)],
    ["API key", () => checkKey(call, dev)],
    ["Sign-in", () => checkSignIn(call, dev)],
  ];
  if (call.args.has("decisions")) checks.push(["Decisions", () => checkDecisions(call)]);
  for (const [check, runCheck] of checks) yield { check, ...(await runCheck().catch(failedCheck)) };
}

/** What `whytrace dev` needs. On the machine of a server, its port is in use and its user may have no home folder. */
function checksOfDev(call: Call, dev: DevState | undefined): [string, () => Promise<CheckResult>][] {
  const isNamed = call.args.has("data") || call.args.has("port");
  if (call.config.databaseUrl !== undefined && dev === undefined && !isNamed) return [];
  return [
    ["Data folder", () => checkDataFolder(call)],
    ["PostgreSQL", checkEmbeddedPostgres],
    ["Port", () => checkPort(call, dev)],
  ];
}

// bin/whytrace.js has already rejected versions that are too old.
const checkNode = async (): Promise<CheckResult> => ({ status: "ok", text: process.versions.node });

async function checkDataFolder(call: Call): Promise<CheckResult> {
  const folder = dataFolderOf(call);
  try {
    await access(folder, constants.W_OK).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      // `dev` creates a missing folder, so its nearest existing parent must be writable.
      for (let parent = dirname(folder); ; parent = dirname(parent))
        if (
          await access(parent).then(
            () => true,
            () => false,
          )
        )
          return access(parent, constants.W_OK);
    });
    return { status: "ok", text: folder };
  } catch {
    return {
      status: "fail",
      text: `${folder} is not writable`,
      advice: "Choose another folder with --data or WHYTRACE_DATA.",
    };
  }
}

async function checkEmbeddedPostgres(): Promise<CheckResult> {
  const { postgres } = await postgresBinaries();
  const user = await postgresUser(postgres);
  return {
    status: "ok",
    text: `included in the package${"uid" in user ? `, runs as user ${user.uid}` : ""}`,
  };
}

async function checkPort({ args }: Call, dev: DevState | undefined): Promise<CheckResult> {
  const number = args.integer("port", { min: 1, max: 65_535 }) ?? dev?.port ?? DEFAULT_PORT;
  if (number === dev?.port)
    return { status: "ok", text: `${number} is in use by \`whytrace dev\` (process ${dev.pid})` };
  if (await isPortFree(number)) return { status: "ok", text: `${number} is free` };
  return {
    status: "warn",
    text: `${number} is in use by ${(await findPortUser(number)) ?? "another program"}`,
    advice: "`whytrace dev` will use the next free port.",
  };
}

async function checkConfiguration({ config }: Call): Promise<CheckResult> {
  if (config.databaseUrl === undefined)
    return { status: "skipped", text: "DATABASE_URL is not set, so no server is configured here" };
  const { ConfigError, readConfig } = await import("@whytrace/server");
  try {
    readConfig(config.all);
    return { status: "ok", text: "the server's environment variables are valid" };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      status: "fail",
      text: error.message,
      advice: "See docs/configuration.md for all variables.",
    };
  }
}

async function checkSecrets({ config }: Call): Promise<CheckResult> {
  if (config.databaseUrl === undefined)
    return { status: "skipped", text: "DATABASE_URL is not set, so no server is configured here" };
  if (config.all.SECRETS_KEY)
    return { status: "ok", text: "secrets of channels are encrypted in the database" };
  return {
    status: "warn",
    text: "secrets of channels are stored in the database as they are",
    advice: "Set SECRETS_KEY to 32 random bytes: openssl rand -base64 32",
  };
}

async function checkDatabase(call: Call): Promise<CheckResult> {
  const database = await findDatabase(call);
  if (database === undefined) return { status: "skipped", text: "not set (--database, DATABASE_URL)" };
  try {
    const { version, pending } = await withOperator(database.url, (operator) => operator.describe());
    if (Number.parseInt(version, 10) < MIN_POSTGRES_VERSION)
      return {
        status: "fail",
        text: `PostgreSQL ${version} is too old`,
        advice: `Upgrade to PostgreSQL ${MIN_POSTGRES_VERSION} or newer.`,
      };
    if (pending.length > 0)
      return {
        status: "warn",
        text: `PostgreSQL ${version}, pending migrations: ${pending.length}`,
        advice: "The server applies them at startup, unless MIGRATE_ON_START=false.",
      };
    return { status: "ok", text: `PostgreSQL ${version}, schema up to date` };
  } catch (error) {
    const reason =
      error instanceof Error
        ? error.message || String("code" in error ? error.code : error.name)
        : String(error);
    return {
      status: "fail",
      text: `cannot connect: ${reason}`,
      advice: "Check the host, port, user and password in the URL, and that PostgreSQL is running.",
    };
  }
}

function serverUrl({ args, config }: Call, dev: DevState | undefined): string | undefined {
  return args.url("url") ?? (config.url === undefined ? dev?.url : parseOrigin(config.url, "WHYTRACE_URL"));
}

const NO_SERVER: CheckResult = {
  status: "skipped",
  text: "no server to check (--url, WHYTRACE_URL, or a running `whytrace dev`)",
};

async function checkServer(call: Call, dev: DevState | undefined): Promise<CheckResult> {
  const url = serverUrl(call, dev);
  if (url === undefined) return NO_SERVER;
  const { status, body } = await new Api(url).request("GET", "/api/health");
  if (status === 200 && isRecord(body))
    return { status: "ok", text: `${url} is healthy, version ${String(body.version)}` };
  if (status === 503)
    return {
      status: "fail",
      text: `${url} is not ready`,
      advice: "The server cannot reach its database or write to it, or is shutting down: see its log.",
    };
  return {
    status: "fail",
    text: `${url} responds with ${status}: not a Whytrace server`,
    advice: "Check the URL.",
  };
}

async function checkClock(call: Call, dev: DevState | undefined): Promise<CheckResult> {
  const url = serverUrl(call, dev);
  if (url === undefined) return NO_SERVER;
  const { headers } = await new Api(url).request("GET", "/api/health");
  const skewMs = Date.now() - Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(skewMs)) return { status: "skipped", text: "the server sent no Date header" };
  // The Date header has a resolution of one second.
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return { status: "ok", text: "in sync with the server" };
  return {
    status: "warn",
    text: `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? "ahead of" : "behind"} the server`,
    advice: "Traces will have wrong times: synchronise this machine's clock (NTP).",
  };
}

const keyOfDev = (url: string | undefined, dev: DevState | undefined) =>
  isSameServer(url, dev?.url) ? dev?.key : undefined;

async function checkKey(call: Call, dev: DevState | undefined): Promise<CheckResult> {
  const url = serverUrl(call, dev);
  const apiKey = call.args.text("key") ?? call.config.apiKey ?? keyOfDev(url, dev);
  if (url === undefined || apiKey === undefined)
    return { status: "skipped", text: "not set (--key, WHYTRACE_API_KEY)" };
  if (await isKeyValid(url, apiKey))
    return { status: "ok", text: `${apiKey.slice(0, 10)}… is valid at ${url}` };
  return {
    status: "fail",
    text: `${apiKey.slice(0, 10)}… is not valid at ${url}`,
    advice: "It may be mistyped or revoked. Create a new one under Settings > API keys.",
  };
}

async function checkSignIn(call: Call, dev: DevState | undefined): Promise<CheckResult> {
  const url = serverUrl(call, dev);
  if (url === undefined) return NO_SERVER;
  const saved = (await readSignIns(call.config.configFolder))[url];
  const readKey = call.config.readKey ?? (saved && "readKey" in saved ? saved.readKey : undefined);
  if (readKey !== undefined) return checkReadKey(url, readKey);
  const session = isSameServer(url, dev?.url) ? dev?.session : saved && "session" in saved && saved.session;
  if (!session)
    return {
      status: "skipped",
      text: `not signed in to ${url}`,
      advice: "Run `whytrace login`, or set WHYTRACE_READ_KEY, to use `traces`, `why` and others.",
    };
  const { isOk } = await new Api(url, { session }).ask("GET /api/auth/session");
  if (isOk) return { status: "ok", text: `signed in to ${url}` };
  return { status: "warn", text: `the session at ${url} has expired`, advice: "Run `whytrace login` again." };
}

async function checkReadKey(url: string, readKey: string): Promise<CheckResult> {
  const { isOk } = await new Api(url, { readKey }).ask("GET /api/traces", { query: { limit: 1 } });
  const shown = `the key ${readKey.slice(0, 10)}…`;
  if (isOk) return { status: "ok", text: `${shown} can read from ${url}` };
  return {
    status: "fail",
    text: `${shown} cannot read from ${url}`,
    advice: "It may be mistyped, revoked or expired, or have the scope send. Create one with the scope read.",
  };
}
