import { sql } from "kysely";

const PREFIXED = sql.lit("(?ip)^(?:release|version):\\s*(\\S(?:.*\\S)?)\\s*$");
const VERSION = sql.lit("(?ip)^(?:v[0-9]+(?:\\.[0-9]+){1,3}|[0-9]+(?:\\.[0-9]+){2})(?:[-+][0-9a-z.+-]+)?$");

/** The name of the release that a row of `traces` says, as `releaseOf` finds it; null if it says none. */
export const RELEASE_NAME = sql`coalesce(
  (select substring(tag from ${PREFIXED}) from unnest(tags) with ordinality as prefixed (tag, number)
    where tag ~ ${PREFIXED} order by number limit 1),
  (select tag from unnest(tags) with ordinality as version (tag, number)
    where tag ~ ${VERSION} order by number limit 1),
  service_version)`;
