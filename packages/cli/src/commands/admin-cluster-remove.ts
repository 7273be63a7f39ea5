import { CLUSTER_OPTIONS, nodeAddress, onCluster } from "../cluster-target.ts";
import type { Command } from "../command.ts";

const NAME = "admin cluster remove";

export const adminClusterRemove: Command = {
  name: NAME,
  about: "remove a worker without shards from a Citus cluster",
  positionals: ["<host:port>"],
  options: CLUSTER_OPTIONS,
  details: "Run `whytrace admin cluster drain` first.",
  async run(call) {
    const address = nodeAddress(call, NAME);
    const name = `${address.host}:${address.port}`;
    await onCluster(call, NAME, (operator) => operator.removeNode(address));
    call.output.line(`${name} removed`);
    call.output.json({ removed: name });
    return undefined;
  },
};
