import { CLUSTER_OPTIONS, expectNoRefusals, nodeAddress, onCluster } from "../cluster-target.ts";
import type { Command } from "../command.ts";

const NAME = "admin cluster add";

export const adminClusterAdd: Command = {
  name: NAME,
  about: "add a worker to a Citus cluster",
  positionals: ["<host:port>"],
  options: CLUSTER_OPTIONS,
  details:
    "The worker needs a database of the same name with the extension citus, and the settings that are checked here.\n" +
    "It gets no shards until `whytrace admin cluster rebalance`.",
  async run(call) {
    const address = nodeAddress(call, NAME);
    const name = `${address.host}:${address.port}`;
    await onCluster(call, NAME, async (operator) => {
      expectNoRefusals(await operator.addNode(address), `${name} cannot be added yet`);
      call.output.line(`${name} added. Move shards to it with: whytrace admin cluster rebalance`);
      call.output.json({ added: name });
    });
    return undefined;
  },
};
