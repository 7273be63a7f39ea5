import { CLUSTER_OPTIONS, expectNoRefusals, onCluster } from "../cluster-target.ts";
import type { Command } from "../command.ts";
import { formatBytes, formatMs } from "../print/format.ts";

const NAME = "admin distribute";
const DEFAULT_SHARDS = 32;
const MAX_SHARDS = 1024;
/** Smaller tables are copied in a moment. */
const NOTED_BYTES = 10_000_000;

export const adminDistribute: Command = {
  name: NAME,
  about: "distribute users' traces over the workers of a Citus cluster",
  positionals: [],
  options: {
    shards: {
      value: "n",
      about: `number of shards of each table; default: ${DEFAULT_SHARDS}. Changing it later copies all data`,
    },
    online: { about: "servers keep running: tables stay writable while they are copied" },
    check: { about: "only say what prevents it, and change nothing" },
    ...CLUSTER_OPTIONS,
  },
  details:
    "Run it once, after the migrations, before the servers start with SHARDING=citus. Later migrations distribute the\n" +
    "tables that they add. It can be interrupted: a second run distributes what is missing.\n\n" +
    "With --online, writers of a table wait for less than a second at the end of its copy, and some requests get 503 and\n" +
    "are sent again. The servers must run with SHARDING=citus. The coordinator needs free disk space for a second copy of\n" +
    "the largest table. Without --online, writers of a table wait until it is copied.",
  async run(call) {
    const { args, output } = call;
    const requested = args.integer("shards", { min: 1, max: MAX_SHARDS });
    await onCluster(call, NAME, async (operator) => {
      const { state, refusals } = await operator.check(requested);
      expectNoRefusals(refusals, `${state.database} cannot be distributed yet`);
      const workers = state.nodes.filter(({ isForShards }) => isForShards).length;
      const missing = state.tables.filter(({ column }) => column === null).length;
      if (args.has("check")) {
        output.line(`${missing} of ${state.tables.length} tables to distribute over ${workers} workers`);
        output.json({ tables: state.tables.length, missing, workers });
        return;
      }
      const options = { shardCount: requested ?? DEFAULT_SHARDS, isOnline: args.has("online") };
      for await (const step of operator.distribute(options)) {
        output.json(step);
        if (step.state === "started") {
          if (step.bytes > NOTED_BYTES) output.note(`${step.table}: copying ${formatBytes(step.bytes)}`);
        } else
          output.line(
            `${step.table}: ${formatBytes(step.bytes)} distributed in ${formatMs(step.durationMs ?? null)}` +
              (step.canceled ? `, ${step.canceled} statements to send again` : ""),
          );
      }
      output.line(
        missing === 0
          ? `All ${state.tables.length} tables were distributed before`
          : `${missing} of ${state.tables.length} tables distributed over ${workers} workers. Start the servers with SHARDING=citus`,
      );
    });
  },
};
