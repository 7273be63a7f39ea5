import { ConfigError, readConfig } from "./config.ts";
import { requireNode } from "./require-node.ts";

// `npm run migrate`, to update the schema before the servers are deployed.
requireNode();
try {
  const { migrate } = await import("./db/migrate.ts");
  const applied = await migrate(readConfig().databaseUrl);
  console.log(
    applied.length > 0 ? `Applied: ${applied.join(", ")}` : "Nothing to apply: the schema is up to date.",
  );
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
