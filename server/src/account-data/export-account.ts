import { signatureToHex } from "@whytrace/contract";
import { listApiKeys } from "../api-keys/list-api-keys.ts";
import { type CurrentSession, listSignIns } from "../auth/sessions.ts";
import { readChosenDays } from "../billing/retention.ts";
import { readUsage } from "../billing/usage.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { listSituationKeys } from "../insights/findings/situation/situation-keys.ts";
import { listDecisionRules } from "../insights/rules/list-decision-rules.ts";
import { listSetAside } from "../insights/scorecards/set-aside.ts";
import { listPriceRules } from "../prices/list-price-rules.ts";
import { listSavedViews } from "../saved-views/list-saved-views.ts";
import { readAllScores } from "../scores/export-scores.ts";
import { listAllVersions } from "../scores/outcomes/list-definitions.ts";
import { listShares } from "../shares/list-shares.ts";
import { readTraces } from "../traces/read-traces.ts";
import { traceLine } from "../traces/trace-line.ts";
import { readAllVerdicts } from "../verdicts/read-all-verdicts.ts";

/**
 * Yields all data of a user and their workspace as NDJSON, each line with a `kind`, the last line with the kind `end`. The
 * test lists the tables that are left out, and why: they hold hashes of secrets, or what follows from what is exported.
 */
export async function* exportAccount(
  { db, reads }: { db: Database; reads: FairDatabase },
  session: CurrentSession,
): AsyncGenerator<Buffer[]> {
  const { user, workspaceId } = session;
  yield toNdjsonLine("user", user);
  const usage = await readUsage(db, workspaceId);
  if (usage) yield toNdjsonLine("subscription", usage);
  yield toNdjsonLine("retention", { days: await readChosenDays(db, workspaceId) });
  for (const key of await listApiKeys(db, workspaceId)) yield toNdjsonLine("apiKey", key);
  for (const rule of await listPriceRules(db, workspaceId)) yield toNdjsonLine("priceRule", rule);
  for (const view of await listSavedViews(db, workspaceId)) yield toNdjsonLine("savedView", view);
  for (const link of await listShares({ db, reads }, workspaceId)) yield toNdjsonLine("link", link);
  for (const { kind: ruleKind, ...rule } of await listDecisionRules(db, workspaceId))
    yield toNdjsonLine("decisionRule", { ...rule, ruleKind });
  for (const signIn of await listSignIns(db, session)) yield toNdjsonLine("session", signIn);
  for (const signature of await listSetAside(db, workspaceId))
    yield toNdjsonLine("decisionSetAside", { signature: signatureToHex(signature) });
  for (const definition of await listAllVersions(db, workspaceId))
    yield toNdjsonLine("outcomeDefinition", definition);
  for (const keys of await listSituationKeys(db, workspaceId)) yield toNdjsonLine("situationKeys", keys);
  for await (const verdict of readAllVerdicts(reads, workspaceId)) yield toNdjsonLine("verdict", verdict);
  for await (const json of readAllScores(reads, workspaceId))
    yield [Buffer.from(`{"kind":"score",${json.slice(1)}\n`)];
  let traces = 0;
  for await (const trace of readTraces(reads, workspaceId, { detail: "whole" })) {
    yield* traceLine(trace, TRACE_START);
    traces += 1;
  }
  yield toNdjsonLine("end", { traces });
}

const TRACE_START = Buffer.from('{"kind":"trace",');

const toNdjsonLine = (kind: string, record: object) => [
  Buffer.from(`${JSON.stringify({ kind, ...record })}\n`),
];
