import { CLUSTER_OPTIONS, onCluster } from "../cluster-target.ts";
import type { Command } from "../command.ts";
import { printCluster } from "../print/print-cluster.ts";

export const adminCluster: Command = {
  name: "admin cluster",
  about: "show nodes, shards and transactions in doubt of a Citus cluster",
  positionals: [],
  options: CLUSTER_OPTIONS,
  details:
    "A transaction is in doubt if a node has prepared it over a second ago and does not know whether it was committed.\n" +
    "Citus finds out by itself, every citus.recover_2pc_interval.",
  async run(call) {
    await onCluster(call, "admin cluster", async (operator) => {
      const cluster = await operator.describe();
      call.output.json(cluster);
      printCluster(cluster, call.output);
    });
    return undefined;
  },
};
