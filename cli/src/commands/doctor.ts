import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, Operator, readConfig as readServerConfig } from "@whytrace/server";
import { Api, isRecord } from "../api.ts";
import { CliError } from "../cli-error.ts";
import { type Call, type Command, originOf } from "../command.ts";
import { type DevState, runningDev } from "../dev/dev-state.ts";
import { holderOf, isFree } from "../dev/ports.ts";
import { postgresBinaries } from "../dev/postgres-binaries.ts";
import { postgresUser } from "../dev/postgres-user.ts";
import { isKeyGood } from "../dev/sign-in.ts";
import type { Output } from "../output.ts";
import { readSignIns } from "../sign-ins.ts";
import { dataFolderOf } from "../target.ts";

interface Finding {
  check: string;
  status: "ok" | "warn" | "fail" | "skipped";
  text: string;
  /** What to do about it. */
  advice?: string;
}

type Told = Omit<Finding, "check">;
const MARKS = {
  ok: ["green", "✓"],
  warn: ["yellow", "!"],
  fail: ["red", "✕"],
  skipped: ["dim", "–"],
} as const;
const USUAL_PORT = 3000;
const OLDEST_POSTGRES = 15;
const LARGEST_SKEW_MS = 5_000;

export const doctor: Command = {
  name: "doctor",
  about: "look for what is wrong, and say what to do",
  positionals: [],
  options: {
    port: { value: "n", about: `the port to look at (${USUAL_PORT})` },
    url: {
      value: "address",
      about: "the service to look at; otherwise WHYTRACE_URL, or the `dev` that runs",
    },
    key: { value: "key", about: "an API key to try; otherwise WHYTRACE_API_KEY" },
    database: { value: "url", about: "the database to look at; otherwise DATABASE_URL" },
    data: { value: "folder", about: "the data folder of `dev`, if it is not the usual one" },
  },
  more: "It changes nothing. The exit code is 1 when something has to be done.",
  async run(call) {
    const { output } = call;
    const dev = await runningDev(dataFolderOf(call));
    const checks: [string, () => Promise<Told>][] = [
      ["Node.js", nodeVersion],
      ["Data folder", () => dataFolder(call)],
      ["PostgreSQL", embeddedPostgres],
      ["Port", () => port(call, dev)],
      ["Configuration", () => configuration(call)],
      ["Database", () => database(call, dev)],
      ["Service", () => service(call, dev)],
      ["Clock", () => clock(call, dev)],
      ["API key", () => key(call, dev)],
      ["Sign-in", () => signIn(call, dev)],
    ];
    let hasFailed = false;
    for (const [check, look] of checks) {
      const finding: Finding = { check, ...(await look().catch(asFinding)) };
      if (finding.status === "fail") hasFailed = true;
      output.json(finding);
      print(finding, output);
    }
    return hasFailed ? 1 : 0;
  },
};

function print({ check, status, text, advice }: Finding, output: Output): void {
  const [style, mark] = MARKS[status];
  output.line(`${output.paint(style, mark)} ${check.padEnd(13)} ${text}`);
  if (advice !== undefined) output.line(`${" ".repeat(16)}${advice}`);
}

function asFinding(error: unknown): Told {
  const advice = error instanceof CliError ? error.advice : undefined;
  return {
    status: "fail",
    text: error instanceof Error ? error.message : String(error),
    ...(advice !== undefined && { advice }),
  };
}

// bin/whytrace.js refuses a version that is too old.
const nodeVersion = async (): Promise<Told> => ({ status: "ok", text: process.versions.node });

async function dataFolder(call: Call): Promise<Told> {
  const folder = dataFolderOf(call);
  try {
    await access(folder, constants.W_OK).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      // Not there yet: whether it could be made.
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
      text: `${folder} cannot be written to`,
      advice: "Choose another with --data or WHYTRACE_DATA.",
    };
  }
}

async function embeddedPostgres(): Promise<Told> {
  const { postgres } = await postgresBinaries();
  const user = await postgresUser(postgres);
  return { status: "ok", text: `comes with the package${"uid" in user ? `, runs as user ${user.uid}` : ""}` };
}

async function port({ given }: Call, dev: DevState | undefined): Promise<Told> {
  const number = given.wholeNumber("port", { least: 1, most: 65_535 }) ?? dev?.port ?? USUAL_PORT;
  if (number === dev?.port) return { status: "ok", text: `${number} is whytrace dev (process ${dev.pid})` };
  if (await isFree(number)) return { status: "ok", text: `${number} is free` };
  return {
    status: "warn",
    text: `${number} is taken by ${(await holderOf(number)) ?? "another program"}`,
    advice: "`whytrace dev` then takes the next free one.",
  };
}

async function configuration({ config }: Call): Promise<Told> {
  if (config.databaseUrl === undefined)
    return { status: "skipped", text: "DATABASE_URL is not set: no server is configured here" };
  try {
    readServerConfig(config.all);
    return { status: "ok", text: "the environment is valid for the server" };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      status: "fail",
      text: error.message,
      advice: "docs/configuration.md tells what each variable means.",
    };
  }
}

async function database({ given, config }: Call, dev: DevState | undefined): Promise<Told> {
  const url = given.text("database") ?? config.databaseUrl ?? dev?.databaseUrl;
  if (url === undefined) return { status: "skipped", text: "none given (--database, DATABASE_URL)" };
  const operator = new Operator(url);
  try {
    const { version, pending } = await operator.describe();
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
      return {
        status: "fail",
        text: `PostgreSQL ${version} is too old`,
        advice: `Whytrace needs ${OLDEST_POSTGRES} or newer.`,
      };
    if (pending.length > 0)
      return {
        status: "warn",
        text: `PostgreSQL ${version}, ${pending.length} migrations are not applied`,
        advice: "The server applies them when it starts, unless MIGRATE_ON_START=false.",
      };
    return { status: "ok", text: `PostgreSQL ${version}, schema up to date` };
  } catch (error) {
    const reason =
      error instanceof Error
        ? error.message || String("code" in error ? error.code : error.name)
        : String(error);
    return {
      status: "fail",
      text: `no connection: ${reason}`,
      advice: "Check host, port, user and password in the URL, and that PostgreSQL runs.",
    };
  } finally {
    await operator.close();
  }
}

function urlOf({ given, config }: Call, dev: DevState | undefined): string | undefined {
  return given.url("url") ?? (config.url === undefined ? dev?.url : originOf(config.url, "WHYTRACE_URL"));
}

const NO_SERVICE: Told = {
  status: "skipped",
  text: "no service given (--url, WHYTRACE_URL), and no `whytrace dev` runs",
};

async function service(call: Call, dev: DevState | undefined): Promise<Told> {
  const url = urlOf(call, dev);
  if (url === undefined) return NO_SERVICE;
  const { status, body } = await new Api(url).request("GET", "/api/health");
  if (status === 200 && isRecord(body))
    return { status: "ok", text: `${url} is well, version ${String(body.version)}` };
  if (status === 503)
    return {
      status: "fail",
      text: `${url} answers, but is not ready`,
      advice: "Its database is not there, or it is stopping: look at its log.",
    };
  return {
    status: "fail",
    text: `${url} answers ${status}: that is no Whytrace`,
    advice: "Check the address.",
  };
}

async function clock(call: Call, dev: DevState | undefined): Promise<Told> {
  const url = urlOf(call, dev);
  if (url === undefined) return NO_SERVICE;
  const { headers } = await new Api(url).request("GET", "/api/health");
  const skewMs = Date.now() - Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(skewMs)) return { status: "skipped", text: "the service does not tell its time" };
  // The service tells whole seconds.
  if (Math.abs(skewMs) <= LARGEST_SKEW_MS) return { status: "ok", text: "agrees with the service's" };
  return {
    status: "warn",
    text: `is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? "ahead of" : "behind"} the service's`,
    advice: "Traces will seem to start at the wrong time: set this machine's clock (NTP).",
  };
}

async function key(call: Call, dev: DevState | undefined): Promise<Told> {
  const url = urlOf(call, dev);
  const tried = call.given.text("key") ?? call.config.apiKey ?? (url === dev?.url ? dev?.key : undefined);
  if (url === undefined || tried === undefined)
    return { status: "skipped", text: "none given (--key, WHYTRACE_API_KEY)" };
  if (await isKeyGood(url, tried)) return { status: "ok", text: `${tried.slice(0, 10)}… is taken by ${url}` };
  return {
    status: "fail",
    text: `${tried.slice(0, 10)}… is not taken by ${url}`,
    advice: "It was mistyped or revoked: make one under Settings, API keys.",
  };
}

async function signIn(call: Call, dev: DevState | undefined): Promise<Told> {
  const url = urlOf(call, dev);
  if (url === undefined) return NO_SERVICE;
  const session =
    url === dev?.url ? dev.session : (await readSignIns(call.config.configFolder))[url]?.session;
  if (session === undefined)
    return {
      status: "skipped",
      text: `not signed in at ${url}`,
      advice: "`whytrace login` lets tail and trace read.",
    };
  const { status } = await new Api(url, { session }).request("GET", "/api/auth/session");
  if (status === 200) return { status: "ok", text: `signed in at ${url}` };
  return { status: "warn", text: `the session at ${url} has ended`, advice: "Run `whytrace login` again." };
}
