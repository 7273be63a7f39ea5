import { CLUSTER_OPTIONS, onCluster, printMoves } from "../cluster-target.ts";
import type { Command } from "../command.ts";

const NAME = "admin cluster rebalance";

export const adminClusterRebalance: Command = {
  name: NAME,
  about: "move shards until each worker of a Citus cluster stores about as much",
  positionals: [],
  options: CLUSTER_OPTIONS,
  details:
    "Servers keep running: writers of a shard wait for a moment at the end of its move. The moves run on the coordinator\n" +
    "and continue if this command is interrupted; run it again to follow them.",
  async run(call) {
    await onCluster(call, NAME, (operator) => printMoves(operator.rebalance(), call.output));
    return undefined;
  },
};
