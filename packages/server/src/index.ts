export { ClusterOperator } from "./cluster-operator.ts";
export type { Config } from "./config.ts";
export { ConfigError, readConfig } from "./config.ts";
export type { MoveProgress, NodeAddress } from "./db/cluster/move-shards.ts";
export type { Cluster } from "./db/cluster/read-cluster.ts";
export { migrate } from "./db/migrate.ts";
export { Operator } from "./operator.ts";
export { type RunningServer, startServer } from "./server.ts";
