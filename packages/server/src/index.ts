export { ClusterOperator } from "./cluster-operator.ts";
export { ConfigError, readConfig } from "./config.ts";
export type { MoveProgress, NodeAddress } from "./db/cluster/move-shards.ts";
export type { Cluster } from "./db/cluster/read-cluster.ts";
export { Operator } from "./operator.ts";
export { type RunningServer, startServer } from "./server.ts";
