// Everything for developing, in one command: PostgreSQL, the server from its sources, the dashboard with hot reload, and
// demo data. See CONTRIBUTING.md.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createServer, type ViteDevServer } from "vite";
import { Api } from "../packages/cli/src/api.ts";
import { readConfig } from "../packages/cli/src/config.ts";
import { lockDataFolder, readDevState, writeDevState } from "../packages/cli/src/dev/dev-state.ts";
import { localEnvironment } from "../packages/cli/src/dev/local-environment.ts";
import { freePort, isPortFree } from "../packages/cli/src/dev/ports.ts";
import { prepareUser } from "../packages/cli/src/dev/prepare-user.ts";
import { startPostgres } from "../packages/cli/src/dev/start-postgres.ts";
import { waitForSignal } from "../packages/cli/src/dev/wait-for-signal.ts";
import { Output } from "../packages/cli/src/print/output.ts";
import { ensureDemo } from "../packages/cli/src/seed-demo.ts";
import { RestartingServer } from "./restarting-server.ts";

const HELP = `Runs PostgreSQL, the server from its sources and the dashboard with hot reload, on demo data.

  --database <url>  use this PostgreSQL instead of starting one (default: DATABASE_URL, also from .env);
                    it gets a user and demo data, and its FREE plans become unlimited
  --inspect         let a debugger attach to the server (see docs/debugging.md)
  --verbose         print the server's whole log
  --empty           load no demo data
  --help            print this help`;

const ROOT = join(import.meta.dirname, "..");
const DATA_FOLDER = join(ROOT, ".dev");

const { values } = parseArgs({
  options: {
    database: { type: "string" },
    inspect: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    empty: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const { stdout, stderr } = process;
const output = new Output({ stdout, stderr, isJson: false, isColourDisabled: true });
const startedAt = performance.now();
const stopping = waitForSignal();
const stops: (() => Promise<unknown>)[] = [];
try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const stop of stops.reverse()) await stop();
}
process.exit();

async function run() {
  stops.push(await lockDataFolder(DATA_FOLDER));
  const [databaseUrl, port] = await Promise.all([openDatabase(), choosePort(3000)]);
  const url = `http://127.0.0.1:${port}`;
  const dashboard = await startDashboard(url);
  const publicUrl = `http://localhost:${dashboard.config.server.port}`;
  const server = new RestartingServer({
    url,
    nodeFlags: values.inspect ? ["--inspect"] : [],
    env: {
      ...localEnvironment({
        databaseUrl,
        port,
        publicUrl,
        isVerbose: values.verbose,
        allowedNetworks: process.env.WEBHOOK_ALLOWED_NETWORKS,
      }),
      SMTP_URL: process.env.SMTP_URL ?? "log:",
      // Unchanged modules need not be stripped of their types and compiled again.
      NODE_COMPILE_CACHE: join(DATA_FOLDER, "compile-cache"),
    },
  });
  stops.push(() => server.stop());
  await server.start();
  const state = await readDevState(DATA_FOLDER);
  const { signInLink, key, session, workspace } = await prepareUser(databaseUrl, {
    url,
    publicUrl,
    previousKey: state.key,
  });
  const demoTraceId = values.empty
    ? state.demoTraceId
    : await ensureDemo(
        { reader: new Api(url, { session, workspace }), sender: new Api(url, { key }) },
        state.demoTraceId,
        output,
      );
  await writeDevState(DATA_FOLDER, { ...state, url: publicUrl, databaseUrl, key, session, demoTraceId });
  console.log(`
Whytrace is running from its sources (started in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s)

  Sign in    ${signInLink}
  Dashboard  ${publicUrl}, reloads when packages/dashboard/src changes
  API        ${url}, restarts when packages/server/src or packages/contract/src changes
  Reference  ${url}/docs/api
  API key    ${key}
  Database   ${databaseUrl}

Ctrl-C stops everything.
`);
  await stopping;
}

/** Returns the database's URL: the given one, or that of a PostgreSQL started for this. */
async function openDatabase(): Promise<string> {
  const given = values.database ?? process.env.DATABASE_URL;
  if (given) return given;
  const state = await readDevState(DATA_FOLDER);
  const password = state.password ?? randomBytes(24).toString("hex");
  await writeDevState(DATA_FOLDER, { ...state, pid: process.pid, password });
  const postgres = await startPostgres(DATA_FOLDER, password, readConfig().childEnvironment);
  stops.push(() => postgres.stop());
  return postgres.url;
}

async function startDashboard(apiUrl: string): Promise<ViteDevServer> {
  const dashboard = await createServer({
    root: join(ROOT, "packages/dashboard"),
    server: {
      port: await choosePort(5173),
      strictPort: true,
      proxy: { "/api": apiUrl, "/docs": apiUrl, "/login/link": apiUrl },
    },
    logLevel: "warn",
  });
  stops.push(() => dashboard.close());
  return dashboard.listen();
}

async function choosePort(preferred: number): Promise<number> {
  return (await isPortFree(preferred)) ? preferred : freePort();
}
