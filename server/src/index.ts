export type { Config } from "./config.ts";
export { ConfigError, readConfig } from "./config.ts";
export { migrate } from "./db/migrate.ts";
export { Operator } from "./operator.ts";
export { type RunningServer, startServer } from "./server.ts";
