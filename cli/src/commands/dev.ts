import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { Operator, type RunningServer, readConfig as readServerConfig, startServer } from "@whytrace/server";
import { Api } from "../api.ts";
import { CliError } from "../cli-error.ts";
import type { Call, Command } from "../command.ts";
import { claimFolder, type DevState, readDevState, writeDevState } from "../dev/dev-state.ts";
import { freePort, holderOf, isFree } from "../dev/ports.ts";
import { DEV_EMAIL, keepKey, linkFor, signIn } from "../dev/sign-in.ts";
import { type Postgres, startPostgres } from "../dev/start-postgres.ts";
import { untilSignal } from "../dev/until-signal.ts";
import { ownVersion } from "../own-version.ts";
import { seedDemo } from "../seed-demo.ts";
import { dataFolderOf } from "../target.ts";

const FIRST_PORT = 3000;
const PORTS_TRIED = 50;
const DEMO_TRACES = 300;

export const dev: Command = {
  name: "dev",
  about: "run everything on this machine: database, service, dashboard",
  positionals: [],
  options: {
    port: { value: "n", about: "listen on this port; otherwise the first free one from 3000 on" },
    data: { value: "folder", about: "keep the data here instead of in the usual place of your system" },
    database: {
      value: "url",
      about: "use this PostgreSQL instead of starting one; its FREE plans lose their limit",
    },
    demo: { about: `load ${DEMO_TRACES} made-up traces of a week` },
    verbose: { about: "print the service's log" },
  },
  more: "It listens on 127.0.0.1 alone, knows no limits and keeps its data between runs. Ctrl-C stops all of it.",
  run: runDev,
};

async function runDev(call: Call): Promise<number> {
  const startedAt = performance.now();
  const dataFolder = resolve(dataFolderOf(call));
  const giveBack = await claimFolder(dataFolder);
  try {
    return await runOn(call, dataFolder, startedAt);
  } finally {
    await giveBack();
  }
}

async function runOn(call: Call, dataFolder: string, startedAt: number): Promise<number> {
  const { given, config, output } = call;
  const former = await readDevState(dataFolder);
  const port = await choosePort(given.wholeNumber("port", { least: 0, most: 65_535 }), former);
  const state: DevState = {
    ...former,
    pid: process.pid,
    url: undefined,
    password: former.password ?? randomBytes(24).toString("hex"),
  };
  const signal = untilSignal();
  let postgres: Postgres | undefined;
  let server: RunningServer | undefined;
  try {
    await writeDevState(dataFolder, state);
    output.note("Starting …");
    if (!given.has("database"))
      postgres = await startPostgres(dataFolder, state.password ?? "", config.childEnvironment);
    const databaseUrl = given.text("database") ?? postgres?.url ?? "";
    const url = `http://localhost:${port}`;
    server = await startServer(serverConfig(call, databaseUrl, port));
    const ready = await prepare(databaseUrl, url, state);
    Object.assign(state, { port, url, databaseUrl, key: ready.key, session: ready.session });
    await writeDevState(dataFolder, state);
    announce(call, { url, dataFolder, ...ready, startedInMs: performance.now() - startedAt });
    if (given.has("demo")) await seedDemo(new Api(url, { key: ready.key }), DEMO_TRACES, output);
    const isCrash = await Promise.race([
      signal.then(() => false),
      (postgres?.ended ?? new Promise<never>(() => {})).then(() => true),
    ]);
    if (isCrash)
      throw new CliError("PostgreSQL has ended by itself", {
        advice: "Start `whytrace dev` again: it mends what can be mended.",
      });
    output.note("\nStopping …");
    return 0;
  } finally {
    await server?.stop(0);
    await postgres?.stop();
    await writeDevState(dataFolder, { ...state, pid: undefined });
  }
}

/** The port asked for, or none; otherwise that of the last run, or the first free one. */
async function choosePort(asked: number | undefined, { port: former }: DevState): Promise<number> {
  if (asked !== undefined && asked !== 0) {
    if (await isFree(asked)) return asked;
    throw new CliError(`Port ${asked} is taken by ${(await holderOf(asked)) ?? "another program"}`, {
      advice: "Stop that one, choose another --port, or leave --port out for a free one.",
    });
  }
  const candidates = Array.from({ length: PORTS_TRIED }, (_, index) => FIRST_PORT + index);
  if (asked === undefined)
    for (const port of former === undefined ? candidates : [former, ...candidates])
      if (await isFree(port)) return port;
  return freePort();
}

const serverConfig = ({ given, output }: Call, databaseUrl: string, port: number) =>
  readServerConfig({
    DATABASE_URL: databaseUrl,
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    ALLOWED_ORIGINS: `http://127.0.0.1:${port}`,
    FREE_SESSIONS_PER_DAY: "unlimited",
    RATE_LIMIT_LOGIN: "1000/1m",
    RATE_LIMIT_REGISTER: "1000/1m",
    LOG_LEVEL: given.has("verbose") ? "info" : "error",
    ...(!output.isJson && { SMTP_URL: "log:" }),
  });

async function prepare(databaseUrl: string, url: string, { key: former }: DevState) {
  const operator = new Operator(databaseUrl);
  try {
    await operator.addUser(DEV_EMAIL, "You");
    const session = await signIn(operator, url);
    const key = await keepKey(new Api(url, { session }), url, former);
    return { session, key, signInLink: await linkFor(operator, url) };
  } finally {
    await operator.close();
  }
}

function announce(
  { output }: Call,
  {
    url,
    dataFolder,
    key,
    signInLink,
    startedInMs,
  }: { url: string; dataFolder: string; key: string; signInLink: string; startedInMs: number },
) {
  output.json({
    url,
    signInLink,
    apiKey: key,
    data: dataFolder,
    pid: process.pid,
    startedInMs: Math.round(startedInMs),
  });
  const row = (label: string, value: string) =>
    output.line(`  ${output.paint("dim", label.padEnd(10))} ${value}`);
  output.line(
    `${output.paint("bold", `Whytrace ${ownVersion()} is running`)} (started in ${(startedInMs / 1_000).toFixed(1)} s)`,
  );
  output.line();
  row("Sign in", `${output.paint("cyan", signInLink)}`);
  row("", "works once, within ten minutes; `whytrace admin link` makes another");
  row("Dashboard", url);
  row("API key", key);
  row("Data", dataFolder);
  output.line();
  row("Try", "`whytrace seed` loads demo data, `whytrace tail` shows decisions as they come");
  output.line();
  output.line("Ctrl-C stops it.");
}
