import { CLUSTER_OPTIONS, nodeAddress, onCluster, printMoves } from "../cluster-target.ts";
import type { Command } from "../command.ts";

const NAME = "admin cluster drain";

export const adminClusterDrain: Command = {
  name: NAME,
  about: "move all shards away from a worker of a Citus cluster",
  positionals: ["<host:port>"],
  options: CLUSTER_OPTIONS,
  details:
    "Servers keep running: writers of a shard wait for a moment at the end of its move. The moves run on the coordinator\n" +
    "and continue if this command is interrupted; run it again to follow them. `whytrace admin cluster remove` removes\n" +
    "the worker afterwards, `whytrace admin cluster add` makes it hold shards again.",
  async run(call) {
    const address = nodeAddress(call, NAME);
    await onCluster(call, NAME, (operator) => printMoves(operator.drain(address), call.output));
    return undefined;
  },
};
