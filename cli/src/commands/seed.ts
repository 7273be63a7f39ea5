import { Operator } from "@whytrace/server";
import { Api } from "../api.ts";
import { CliError } from "../cli-error.ts";
import { type Call, type Command, originOf, usageFault } from "../command.ts";
import { runningDev } from "../dev/dev-state.ts";
import { newSeed, type StoreBatch, storeByApi, storeDemo } from "../seed-demo.ts";
import { dataFolderOf } from "../target.ts";

const DEFAULT_TRACES = 300;

export const seed: Command = {
  name: "seed",
  about: "load a made-up week of several agents",
  positionals: [],
  options: {
    traces: { value: "n", about: `how many (${DEFAULT_TRACES})` },
    seed: { value: "n", about: "the same traces with the same ids again, up to the time of day" },
    url: {
      value: "address",
      about: "the service to send to; otherwise WHYTRACE_URL, or the `dev` that runs",
    },
    key: { value: "key", about: "the API key to send with; otherwise WHYTRACE_API_KEY" },
    database: { value: "url", about: "write into this database instead, for the user of --email" },
    email: { value: "address", about: "whose traces they become, with --database" },
    data: { value: "folder", about: "the data folder of `dev`, if it is not the usual one" },
  },
  more: "Every trace counts for the limit of the plan; `dev` has none.",
  async run(call) {
    const { given, output } = call;
    const traces = given.wholeNumber("traces", { least: 1, most: 1_000_000 }) ?? DEFAULT_TRACES;
    const number = given.wholeNumber("seed", { least: 0, most: 2 ** 31 }) ?? newSeed();
    const startedAt = performance.now();
    const { where, store, close } = await destination(call);
    try {
      const stored = await storeDemo(store, { traces, seed: number }, output);
      const seconds = (performance.now() - startedAt) / 1_000;
      output.line(`${stored} traces are at ${where} (${seconds.toFixed(1)} s).`);
      output.json({ stored, seed: number, where, durationMs: Math.round(seconds * 1_000) });
    } finally {
      await close();
    }
  },
};

interface Destination {
  where: string;
  store: StoreBatch;
  close(): Promise<void>;
}

async function destination(call: Call): Promise<Destination> {
  const { given, config } = call;
  const databaseUrl = given.text("database");
  if (databaseUrl !== undefined) return databaseDestination(databaseUrl, given.text("email"));
  const url =
    given.url("url") ?? (config.url === undefined ? undefined : originOf(config.url, "WHYTRACE_URL"));
  const key = given.text("key") ?? config.apiKey;
  const dev = await runningDev(dataFolderOf(call));
  if (url === undefined && dev?.url !== undefined && dev.key !== undefined)
    return apiDestination(dev.url, key ?? dev.key);
  if (url === undefined)
    throw new CliError("There is nothing to load the data into", {
      advice: "Start `whytrace dev` in another terminal, or say where: --url <address> --key <key>.",
    });
  if (url === dev?.url && dev.key !== undefined) return apiDestination(url, key ?? dev.key);
  if (key === undefined) throw usageFault("--key is missing: sending needs an API key", "seed");
  return apiDestination(url, key);
}

function apiDestination(url: string, key: string): Destination {
  return { where: url, store: storeByApi(new Api(url, { key })), close: async () => {} };
}

function databaseDestination(databaseUrl: string, email: string | undefined): Destination {
  if (email === undefined) throw usageFault("--email is missing: whose traces are they to be?", "seed");
  const operator = new Operator(databaseUrl);
  return {
    where: new URL(databaseUrl).host,
    close: () => operator.close(),
    async store(traces) {
      const count = await operator.storeTraces("http://localhost", email, traces);
      if (count === undefined) throw new CliError(`Nobody has the address ${email}`);
      return count;
    },
  };
}
