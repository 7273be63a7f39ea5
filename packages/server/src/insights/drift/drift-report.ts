import type { DriftReport, DriftSide } from "@whytrace/contract";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { HttpError } from "../../http/http-error.ts";
import type { DaysReader } from "../days/days-reader.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { listDecisionRules } from "../rules/list-decision-rules.ts";
import { checkRule } from "./check-rule.ts";
import { chooseSides, type DriftQuery, type ReadReleases } from "./choose-sides.ts";
import { compareChoices } from "./compare-choices.ts";

export const NO_RUNS = "No runs in this time range with";

/** Compares the choices of two sides, and checks the rules on the current one. */
export async function driftReport(
  context: { days: DaysReader; reads: FairDatabase },
  workspaceId: WorkspaceId,
  query: DriftQuery,
): Promise<DriftReport> {
  const { days, reads } = context;
  const readReleases: ReadReleases = (range) =>
    days.read(workspaceId, range, async (read, db) => ({
      days: read,
      names: await readGroupNames(db, workspaceId, read.tally),
    }));
  const sides = await chooseSides(query, readReleases);
  const { figures, ...compared } = await compareChoices(context, workspaceId, query.agent, sides);
  for (const side of [compared.base, compared.current]) requireRuns(side);
  const rules = await reads.run(workspaceId, (db) => listDecisionRules(db, workspaceId));
  const checked = rules
    .filter(({ agent }) => query.agent === undefined || agentHash(agent) === agentHash(query.agent))
    .map((rule) => checkRule(rule, figures));
  return {
    ...compared,
    rules: checked,
    isFailed: compared.rows.some(({ isDrifting }) => isDrifting) || checked.some(({ isKept }) => !isKept),
  };
}

/** A release or tag that a CI job misspells must not look as if nothing drifted. */
export function requireRuns({ release, tag, runs }: Pick<DriftSide, "release" | "tag" | "runs">) {
  const name = release === null ? (tag === null ? null : `tag ${tag}`) : `release ${release}`;
  if (runs === 0 && name !== null) throw new HttpError(404, `${NO_RUNS} ${name}`);
}
