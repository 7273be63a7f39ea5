import { signatureToHex } from "@whytrace/contract";
import { readAllIncidents } from "../alerts/list-incidents.ts";
import { listMaintenance } from "../alerts/maintenance.ts";
import { describeRule, readRules } from "../alerts/rules/stored-rule.ts";
import { listApiKeys } from "../api-keys/list-api-keys.ts";
import { readChosenDays } from "../billing/retention.ts";
import { readUsage } from "../billing/usage.ts";
import { listChannels } from "../channels/list-channels.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { listSituationKeys } from "../insights/findings/situation/situation-keys.ts";
import { listDecisionRules } from "../insights/rules/list-decision-rules.ts";
import { readSetAside } from "../insights/scorecards/set-aside.ts";
import { exportIssues } from "../issues/export-issues.ts";
import { findMasking } from "../masking/stored-masking.ts";
import { listPriceRules } from "../prices/list-price-rules.ts";
import { listSavedViews } from "../saved-views/list-saved-views.ts";
import { readAllScores } from "../scores/export-scores.ts";
import { listAllVersions } from "../scores/outcomes/list-definitions.ts";
import { listShares } from "../shares/list-shares.ts";
import { readTraces } from "../traces/read-traces.ts";
import { traceLine } from "../traces/trace-line.ts";
import { readAllVerdicts } from "../verdicts/read-all-verdicts.ts";

/**
 * Yields all data of a workspace as NDJSON, each line with a `kind`, and returns the number of traces. The test lists the
 * tables that are left out, and why: they hold hashes of secrets, or what follows from what is exported.
 */
export async function* exportWorkspace(
  { db, reads }: { db: Database; reads: FairDatabase },
  workspaceId: WorkspaceId,
): AsyncGenerator<Buffer[], number> {
  const usage = await readUsage(db, workspaceId);
  if (usage) yield toNdjsonLine("subscription", usage);
  yield toNdjsonLine("retention", { days: await readChosenDays(db, workspaceId) });
  for (const key of await listApiKeys(db, workspaceId)) yield toNdjsonLine("apiKey", key);
  for (const rule of await listPriceRules(db, workspaceId)) yield toNdjsonLine("priceRule", rule);
  for (const view of await listSavedViews(db, workspaceId)) yield toNdjsonLine("savedView", view);
  for (const link of await listShares({ db, reads }, workspaceId)) yield toNdjsonLine("link", link);
  for (const { kind: ruleKind, ...rule } of await listDecisionRules(db, workspaceId))
    yield toNdjsonLine("decisionRule", { ...rule, ruleKind });
  for (const [signature, createdBy] of await readSetAside(db, workspaceId))
    yield toNdjsonLine("decisionSetAside", { signature: signatureToHex(signature), createdBy });
  for (const definition of await listAllVersions(db, workspaceId))
    yield toNdjsonLine("outcomeDefinition", definition);
  // Without the key: whoever has it can find out what tokens stand for.
  const masking = await findMasking(await db.of(workspaceId), workspaceId);
  if (masking) yield toNdjsonLine("masking", { level: masking.level, rules: masking.rules });
  for (const keys of await listSituationKeys(db, workspaceId)) yield toNdjsonLine("situationKeys", keys);
  for (const issue of await exportIssues(db, workspaceId)) yield toNdjsonLine("issue", issue);
  for (const { kind: channelKind, ...channel } of await listChannels(db, workspaceId))
    yield toNdjsonLine("channel", { ...channel, channelKind });
  for (const rule of await readRules(db, workspaceId)) {
    const { kind: ruleKind, ...described } = describeRule(rule);
    yield toNdjsonLine("alertRule", { ...described, ruleKind });
  }
  for (const incident of await readAllIncidents(db, workspaceId))
    yield toNdjsonLine("alertIncident", incident);
  for (const planned of await listMaintenance(db, workspaceId)) yield toNdjsonLine("maintenance", planned);
  for await (const verdict of readAllVerdicts(reads, workspaceId)) yield toNdjsonLine("verdict", verdict);
  for await (const json of readAllScores(reads, workspaceId))
    yield [Buffer.from(`{"kind":"score",${json.slice(1)}\n`)];
  let traces = 0;
  for await (const trace of readTraces(reads, workspaceId, { detail: "whole" })) {
    yield* traceLine(trace, TRACE_START);
    traces += 1;
  }
  return traces;
}

const TRACE_START = Buffer.from('{"kind":"trace",');

export const toNdjsonLine = (kind: string, record: object) => [
  Buffer.from(`${JSON.stringify({ kind, ...record })}\n`),
];

/** The export of a workspace alone, with its last line. */
export async function* wholeWorkspace(
  resources: { db: Database; reads: FairDatabase },
  workspaceId: WorkspaceId,
): AsyncGenerator<Buffer[]> {
  const traces = yield* exportWorkspace(resources, workspaceId);
  yield toNdjsonLine("end", { traces });
}
