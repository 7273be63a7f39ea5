import { ConfigError, readConfig } from "./config.ts";
import { migrate } from "./db/migrate.ts";

// `npm run migrate`, for those who roll out the schema before the servers.
try {
  const applied = await migrate(readConfig().databaseUrl);
  console.log(
    applied.length > 0 ? `Applied: ${applied.join(", ")}` : "Nothing to apply: the schema is up to date.",
  );
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
