import type { Connections } from "../db/connections.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { Maskings } from "../masking/maskings.ts";
import type { ScoreStore } from "../trace-store/scores/score-store.ts";
import type { TraceStore } from "../trace-store/store/store-traces.ts";

/** What a request body holds. It is read and stored in the main thread or, if it is large, in another one. */
export type IngestJob = { kind: "batch" } | ScoresJob | OtlpJob;

export interface ScoresJob {
  kind: "scores";
  /** The signed-in member who judges; undefined if a key was sent. */
  personId: string | undefined;
}

export interface OtlpJob {
  kind: "otlp";
  signal: "traces" | "logs" | "metrics";
  encoding: "protobuf" | "json";
  /** Whether the workspace's plan is used up: traces that have begun go on, and no new ones are stored. */
  isPlanUsedUp: boolean;
}

export interface IngestOutcome {
  /** Traces stored or replaced, or scores. */
  count: number;
  /** The ids of scores, in the order sent. */
  ids?: string[];
  /** Records that were not stored, although the rest of the request was. */
  rejected: number;
  /** Why, or what else the sender should know; empty if there is nothing to say. */
  reason: string;
}

/** Who sends a body: a workspace, by a key or, if it is undefined, by the session of a member. */
export interface Sender {
  workspaceId: WorkspaceId;
  keyId: string | undefined;
}

export interface JobContext {
  store: TraceStore;
  scores: ScoreStore;
  maskings: Maskings;
  connections: Connections;
  sender: Sender;
  /** To be called while the body is read, and when it has been, with what it costs so far, in bytes of a usual body. */
  onParsed(cost: number): void;
}

/** Reads and stores a body. */
export type RunIngestJob = (job: IngestJob, body: Buffer, context: JobContext) => Promise<IngestOutcome>;
