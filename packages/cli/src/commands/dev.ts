import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { RunningServer } from "@whytrace/server";
import { Api } from "../api.ts";
import { CliError } from "../cli-error.ts";
import type { Call, Command } from "../command.ts";
import { type DevState, lockDataFolder, readDevState, writeDevState } from "../dev/dev-state.ts";
import { localEnvironment } from "../dev/local-environment.ts";
import { findPortUser, freePort, isPortFree } from "../dev/ports.ts";
import { prepareUser } from "../dev/prepare-user.ts";
import { type Postgres, startPostgres } from "../dev/start-postgres.ts";
import { waitForSignal } from "../dev/wait-for-signal.ts";
import { ownVersion } from "../own-version.ts";
import { DEMO_TRACES, ensureDemo } from "../seed-demo.ts";
import { asStarted, WHYTRACE } from "../started-as.ts";
import { dataFolderOf } from "../target.ts";

const FIRST_PORT = 3000;
const PORTS_TRIED = 50;

export const dev: Command = {
  name: "dev",
  about: "run Whytrace on this machine: database, server and dashboard",
  positionals: [],
  options: {
    port: { value: "n", about: "port to listen on; default: the first free port from 3000" },
    data: { value: "folder", about: "store the data in this folder instead of the default one" },
    database: {
      value: "url",
      about: "use this PostgreSQL instead of starting one; its FREE plans become unlimited",
    },
    demo: { about: `load ${DEMO_TRACES} demo traces, unless they are already there` },
    verbose: { about: "print the server's log" },
  },
  details:
    "Listens on 127.0.0.1 only, has no usage limits, and keeps its data between runs. Press Ctrl-C to stop everything.",
  run: runDev,
};

async function runDev(call: Call): Promise<number> {
  const startedAt = performance.now();
  const dataFolder = resolve(dataFolderOf(call));
  const release = await lockDataFolder(dataFolder);
  try {
    return await runOn(call, dataFolder, startedAt);
  } finally {
    await release();
  }
}

async function runOn(call: Call, dataFolder: string, startedAt: number): Promise<number> {
  const { args, config, output } = call;
  const previous = await readDevState(dataFolder);
  const port = await choosePort(args.integer("port", { min: 0, max: 65_535 }), previous);
  const state: DevState = {
    ...previous,
    pid: process.pid,
    url: undefined,
    password: previous.password ?? randomBytes(24).toString("hex"),
    encryptionKey: previous.encryptionKey ?? randomBytes(32).toString("base64"),
  };
  const signal = waitForSignal();
  let postgres: Postgres | undefined;
  let server: RunningServer | undefined;
  try {
    await writeDevState(dataFolder, state);
    output.note("Starting …");
    if (!args.has("database"))
      postgres = await startPostgres(dataFolder, state.password ?? "", config.childEnvironment);
    const databaseUrl = args.text("database") ?? postgres?.url ?? "";
    const url = `http://localhost:${port}`;
    const isVerbose = args.has("verbose");
    const { readConfig, startServer } = await import("@whytrace/server");
    server = await startServer(
      readConfig({
        ...localEnvironment({
          databaseUrl,
          port,
          publicUrl: url,
          isVerbose,
          allowedNetworks: config.allowedNetworks,
        }),
        ...(state.encryptionKey !== undefined && { ENCRYPTION_KEYS: state.encryptionKey }),
        ...(!output.isJson && { SMTP_URL: "log:" }),
      }),
    );
    const ready = await prepareUser(databaseUrl, { url, previousKey: state.key });
    Object.assign(state, { port, url, databaseUrl, key: ready.key, session: ready.session });
    await writeDevState(dataFolder, state);
    const hasDemo = args.has("demo");
    announce(call, { url, dataFolder, ...ready, hasDemo, startedInMs: performance.now() - startedAt });
    if (hasDemo) {
      const clients = {
        reader: new Api(url, { session: ready.session, workspace: ready.workspace }),
        sender: new Api(url, { key: ready.key }),
      };
      state.demoTraceId = await ensureDemo(clients, state.demoTraceId, output);
      await writeDevState(dataFolder, state);
    }
    const isCrash = await Promise.race([
      signal.then(() => false),
      (postgres?.ended ?? new Promise<never>(() => {})).then(() => true),
    ]);
    if (isCrash)
      throw new CliError("PostgreSQL stopped unexpectedly", {
        advice: "Start `whytrace dev` again: PostgreSQL recovers its data at startup.",
      });
    output.note("\nStopping …");
    return 0;
  } finally {
    await server?.stop(0);
    await postgres?.stop();
    await writeDevState(dataFolder, { ...state, pid: undefined });
  }
}

/** The requested port, or an error if it is in use; without a request, the previous port or the first free one. */
async function choosePort(requested: number | undefined, { port: previous }: DevState): Promise<number> {
  if (requested !== undefined && requested !== 0) {
    if (await isPortFree(requested)) return requested;
    throw new CliError(
      `Port ${requested} is in use by ${(await findPortUser(requested)) ?? "another program"}`,
      {
        advice: "Stop that process, choose another --port, or omit --port to use a free one.",
      },
    );
  }
  const candidates = Array.from({ length: PORTS_TRIED }, (_, index) => FIRST_PORT + index);
  if (requested === undefined)
    for (const port of previous === undefined ? candidates : [previous, ...candidates])
      if (await isPortFree(port)) return port;
  return freePort();
}

function announce(
  { output }: Call,
  {
    url,
    dataFolder,
    key,
    signInLink,
    hasDemo,
    startedInMs,
  }: {
    url: string;
    dataFolder: string;
    key: string;
    signInLink: string;
    hasDemo: boolean;
    startedInMs: number;
  },
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
  row("", asStarted("works once, within 10 minutes; `whytrace admin link` creates another"));
  row("Dashboard", url);
  row("API key", key);
  row("Data", dataFolder);
  output.line();
  const tail = `\`${WHYTRACE} tail\` shows decisions as they arrive`;
  row("Next", hasDemo ? tail : `\`${WHYTRACE} seed\` loads demo traces, ${tail}`);
  output.line();
  output.line("Press Ctrl-C to stop.");
}
