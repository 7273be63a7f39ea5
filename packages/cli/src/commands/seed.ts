import { Api } from "../api.ts";
import { CliError } from "../cli-error.ts";
import { type Call, type Command, parseOrigin, usageError } from "../command.ts";
import { databaseName } from "../database-target.ts";
import { findRunningDev } from "../dev/dev-state.ts";
import { DEMO_TRACES, type DemoStore, newSeed, storeDemo, storeOverHttp } from "../seed-demo.ts";
import { dataFolderOf, isSameServer } from "../target.ts";

export const seed: Command = {
  name: "seed",
  about: "load demo traces: a month of several agents",
  positionals: [],
  options: {
    traces: { value: "n", about: `number of traces (default ${DEMO_TRACES})` },
    seed: {
      value: "n",
      about: "another month than the usual one; the same seed gives the same trace ids, so it replaces them",
    },
    url: {
      value: "url",
      about: "server to send to; default: WHYTRACE_URL, or the running `whytrace dev`",
    },
    key: { value: "key", about: "API key to send with; default: WHYTRACE_API_KEY" },
    database: { value: "url", about: "write to this database instead, for the user given by --email" },
    email: { value: "email", about: "with --database: the owner of the workspace that gets the traces" },
    workspace: { value: "slug", about: "with --database: which workspace, if the user owns several" },
    data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
  },
  details: "Every trace counts towards the limit of the plan. `whytrace dev` has no limit.",
  async run(call) {
    const { args, output } = call;
    const traces = args.integer("traces", { min: 1, max: 1_000_000 }) ?? DEMO_TRACES;
    const story = args.integer("seed", { min: 0, max: 2 ** 31 });
    const number = story ?? newSeed();
    const startedAt = performance.now();
    const { where, store, close } = await destination(call);
    try {
      const { stored } = await storeDemo(store, { traces, seed: number, story }, output);
      const seconds = (performance.now() - startedAt) / 1_000;
      output.line(`Stored ${stored} traces at ${where} in ${seconds.toFixed(1)} s.`);
      output.json({ stored, seed: number, where, durationMs: Math.round(seconds * 1_000) });
    } finally {
      await close();
    }
  },
};

interface Destination {
  where: string;
  store: DemoStore;
  close(): Promise<void>;
}

async function destination(call: Call): Promise<Destination> {
  const { args, config } = call;
  const databaseUrl = args.text("database");
  if (databaseUrl !== undefined) return databaseDestination(databaseUrl, args);
  const url =
    args.url("url") ?? (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL"));
  const key = args.text("key") ?? config.apiKey;
  const dev = await findRunningDev(dataFolderOf(call));
  if (url === undefined && dev?.url !== undefined && dev.key !== undefined)
    return apiDestination(dev.url, key ?? dev.key);
  if (url === undefined)
    throw new CliError("No server to load the traces into", {
      advice: "Start `whytrace dev` in another terminal, or pass --url <url> and --key <key>.",
    });
  if (isSameServer(url, dev?.url) && dev?.key !== undefined) return apiDestination(url, key ?? dev.key);
  if (key === undefined) throw usageError("Missing --key: sending traces needs an API key", "seed");
  return apiDestination(url, key);
}

function apiDestination(url: string, key: string): Destination {
  return { where: url, store: storeOverHttp(new Api(url, { key })), close: async () => {} };
}

async function databaseDestination(databaseUrl: string, args: Call["args"]): Promise<Destination> {
  const email = args.text("email");
  if (email === undefined) throw usageError("Missing --email: the owner of the workspace", "seed");
  const { Operator } = await import("@whytrace/server");
  const operator = new Operator(databaseUrl);
  const close = () => operator.close();
  try {
    const owned = chooseOwned(await operator.ownedWorkspaces(email), email, args.text("workspace"));
    return {
      where: databaseName(databaseUrl),
      close,
      store: { storeTraces: (traces) => operator.storeTraces("http://localhost", owned.workspaceId, traces) },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Nothing is guessed for several workspaces. */
function chooseOwned<T extends { slug: string }>(
  owned: readonly T[],
  email: string,
  slug: string | undefined,
): T {
  const [only, ...more] = owned.filter((one) => slug === undefined || one.slug === slug);
  if (!only) throw new CliError(`${email} owns no workspace${slug === undefined ? "" : ` ${slug}`}`);
  if (more.length > 0)
    throw new CliError(`${email} owns several workspaces: ${owned.map((one) => one.slug).join(", ")}`, {
      advice: "Pass --workspace <slug>.",
    });
  return only;
}
