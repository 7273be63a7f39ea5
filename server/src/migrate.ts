import { readConfig } from "./config.ts";
import { createDatabase, createPool } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";

// `npm run migrate`, for those who roll out the schema before the servers.
const db = createDatabase(createPool(readConfig().databaseUrl));
try {
  const applied = await migrate(db);
  console.log(
    applied.length > 0 ? `Applied: ${applied.join(", ")}` : "Nothing to apply: the schema is up to date.",
  );
} finally {
  await db.destroy();
}
