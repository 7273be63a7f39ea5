import { type RawBuilder, sql } from "kysely";
import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { ASKED_KEY } from "../../outcomes/judged-run.ts";
import { MAX_METADATA_BYTES, metadataPair } from "../rows/metadata-pairs.ts";

/**
 * A condition on rows of `traces`: a user of the run was asked for a score of this name. Metadata is read only of runs that record
 * an ask. A trace of OpenTelemetry has pairs instead.
 */
export const isAskedFor = (name: string): RawBuilder<unknown> => sql`coalesce(
  case when outcome_flags & ${sql.lit(OUTCOME_FLAGS.asked)} <> 0 and octet_length(metadata::text) <= ${MAX_METADATA_BYTES}
    then (metadata::jsonb->${ASKED_KEY}::text) @> to_jsonb(${name}::text) end,
  metadata_pairs @> array[${metadataPair(ASKED_KEY, name)}::text], false)`;
