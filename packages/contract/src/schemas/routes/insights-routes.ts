import type { agentHealthList } from "../insights/agents.ts";
import type { blame } from "../insights/blame.ts";
import type { comparison, partnerList } from "../insights/comparison.ts";
import type { decisionMap, mapPath } from "../insights/decision-map.ts";
import type { driftReport } from "../insights/drift.ts";
import type { findings, newSituationKeys, situationKeyList, situationKeys } from "../insights/findings.ts";
import type { releaseComparison, releaseHistory } from "../insights/releases.ts";
import type { decisionRule, decisionRuleList, newDecisionRule } from "../insights/rules.ts";
import type {
  agentList,
  decisionRates,
  reasonList,
  scorecard,
  scoreMeans,
  whyList,
} from "../insights/scorecards.ts";
import type { successSchema } from "../success.ts";
import type { givenVerdict, savedVerdict, verdictCounts, verdictList } from "../verdicts.ts";
import type { AgentRange, ComparedSides, CountedRuns, Page, Range } from "./queries.ts";

/** What is counted of decisions. */
export interface InsightsRoutes {
  "GET /api/insights/agents": { query: Range; response: typeof agentList };
  "GET /api/insights/agents/health": { query: AgentRange; response: typeof agentHealthList };
  "GET /api/insights/blame/:traceId": {
    query: { spanId?: string; reason?: string };
    response: typeof blame;
  };
  "GET /api/insights/compare": { query: { a: string; b: string }; response: typeof comparison };
  "GET /api/insights/decision-points/:traceId/:decisionPointId": { response: typeof decisionRates };
  "GET /api/insights/decisions": { query: CountedRuns; response: typeof whyList };
  "GET /api/insights/decisions/:signature": { query: CountedRuns; response: typeof scorecard };
  "GET /api/insights/decisions/:signature/means": { query: CountedRuns; response: typeof scoreMeans };
  "GET /api/insights/decisions/:signature/reasons": {
    query: CountedRuns & { step?: string };
    response: typeof reasonList;
  };
  "GET /api/insights/drift": {
    query: ComparedSides & { tag?: string; baseTag?: string };
    response: typeof driftReport;
  };
  "GET /api/insights/findings": { query: AgentRange & { lens?: string }; response: typeof findings };
  "GET /api/insights/map": { query: AgentRange; response: typeof decisionMap };
  "GET /api/insights/map/path": {
    query: AgentRange & { step?: string; after?: string };
    response: typeof mapPath;
  };
  "GET /api/insights/partners/:traceId": { query: { step?: string }; response: typeof partnerList };
  "GET /api/insights/releases": { query: AgentRange; response: typeof releaseHistory };
  "GET /api/insights/releases/compare": { query: ComparedSides; response: typeof releaseComparison };
  "GET /api/insights/rules": { response: typeof decisionRuleList };
  "POST /api/insights/rules": { body: typeof newDecisionRule; response: typeof decisionRule };
  "DELETE /api/insights/rules/:id": { response: typeof successSchema };
  "DELETE /api/insights/set-aside/:signature": { response: typeof successSchema };
  "PUT /api/insights/set-aside/:signature": { query: Range; response: typeof successSchema };
  "GET /api/insights/situation-keys": { query: { agent: string }; response: typeof situationKeyList };
  "PUT /api/insights/situation-keys": {
    query: { agent: string };
    body: typeof newSituationKeys;
    response: typeof situationKeys;
  };
  "GET /api/insights/verdicts": {
    query: Page & { traceId?: string; signature?: string; agent?: string };
    response: typeof verdictList;
  };
  "PUT /api/insights/verdicts": { body: typeof givenVerdict; response: typeof savedVerdict };
  "DELETE /api/insights/verdicts/:traceId/:decisionPointId": { response: typeof successSchema };
  "GET /api/insights/verdicts/counts": {
    query: { signature?: string; agent?: string };
    response: typeof verdictCounts;
  };
}
