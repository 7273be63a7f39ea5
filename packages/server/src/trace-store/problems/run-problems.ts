import { hash53 } from "@whytrace/contract";
import type { Problem } from "../../outcomes/problems-of-run.ts";
import { splitMetadataPair } from "../rows/metadata-pairs.ts";

/** What is known of a run for issues. A run that is not bad has no problems, but may be the first of its release. */
export interface RunProblems {
  agentHash: number;
  release: string | null;
  /** For whom the run was made. */
  personHash: number | null;
  /** In milliseconds since 1970. */
  startedAt: number;
  problems: readonly Problem[];
}

/** How the problems of a run change. */
export interface RunChange extends RunProblems {
  id: string;
  /** The keys of the problems that it had. */
  before: readonly number[];
  /** When it was first stored; undefined for a run that this transaction stores first. */
  createdAt?: string | undefined;
}

/** The names under which senders tell for whom a run was made, in the order in which they count. */
const PERSON_KEYS = ["userId", "user_id", "user.id", "enduser.id", "langfuse.user.id"];
const NO_PERSON: ReadonlySet<string> = new Set(["null", "true", "false"]);

/** The person whom the pairs of a run's metadata name, as a hash. */
export function personHash(pairs: readonly string[] | null): number | null {
  if (pairs === null) return null;
  const values = new Map(
    pairs.map(splitMetadataPair).flatMap(({ key, value }) => (NO_PERSON.has(value) ? [] : [[key, value]])),
  );
  const key = PERSON_KEYS.find((name) => values.has(name));
  return key === undefined ? null : hash53(`person\n${values.get(key)}`);
}
