import type { judgeAgreement, judgeQueue } from "../insights/judges.ts";
import type {
  outcomeDefinition,
  outcomeDefinitions,
  outcomePreview,
  outcomeVersions,
  previewedDefinition,
  savedDefinition,
} from "../outcomes.ts";
import type {
  scoreBatch,
  scoreList,
  scoreNames,
  scoreSeries,
  scoreSummary,
  scoreValues,
  storedScores,
} from "../scores.ts";
import type { successSchema } from "../success.ts";
import type { AgentRange, QueueQuery, ScoresQuery } from "./queries.ts";

/** Scores, judges and outcomes. */
export interface ScoreRoutes {
  "DELETE /api/outcomes": { query: { agent?: string }; response: typeof successSchema };
  "GET /api/outcomes": { response: typeof outcomeDefinitions };
  "PUT /api/outcomes": { body: typeof savedDefinition; response: typeof outcomeDefinition };
  "POST /api/outcomes/preview": { body: typeof previewedDefinition; response: typeof outcomePreview };
  "GET /api/outcomes/versions": { query: { agent?: string }; response: typeof outcomeVersions };
  "GET /api/scores": { query: ScoresQuery; response: typeof scoreList };
  "POST /api/scores": { body: typeof scoreBatch; response: typeof storedScores };
  "DELETE /api/scores/:id": { response: typeof successSchema };
  "GET /api/scores/agreement": {
    query: { name: string; author?: string; against?: string; agent?: string };
    response: typeof judgeAgreement;
  };
  "GET /api/scores/names": { query: { agent?: string }; response: typeof scoreNames };
  "GET /api/scores/queue": { query: QueueQuery; response: typeof judgeQueue };
  "GET /api/scores/series": { query: AgentRange & { name: string }; response: typeof scoreSeries };
  "GET /api/scores/summary": { query: AgentRange; response: typeof scoreSummary };
  "GET /api/scores/values": { query: AgentRange & { name: string }; response: typeof scoreValues };
}
