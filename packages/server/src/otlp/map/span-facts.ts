import type { DecisionPointType, ModelUsage, SpanType, Status } from "@whytrace/contract";
import type { ScoreSource } from "@whytrace/contract/schemas/scores";

/**
 * What a trace and its decisions are derived from, for each span. It is stored as JSON, so that the derivation can be
 * repeated when more spans of the trace come, without reading their payloads. What is unknown is left out.
 */
export interface SpanFacts {
  id: string;
  parentId?: string | null;
  name: string;
  type: SpanType;
  status: Status;
  startMs: number;
  endMs: number;
  tokens?: number | null;
  /** A cost that was sent. */
  costUsd?: number | null;
  usage?: Partial<ModelUsage>;
  /** The message of a span that failed, as far as errors are compared by it. */
  error?: string;
  /** The span's events of the type ERROR. */
  errorEvents?: { name: string; timeMs: number }[];

  /** What the span calls the trace or the agent. */
  label?: string;
  session?: string;
  tags?: string[];
  /** Of a root: the version of the service that made it, and what the application says about the run. */
  version?: string;
  pairs?: string[];
  /** Of a root: the probability with which the trace was sampled. */
  sampled?: number;

  /** The tools that the model called in its answer. */
  calls?: ToolCall[];
  /** Set if the model ended its answer in order to call tools. */
  asksForTools?: true;
  /** The tools that the model could have called. */
  offered?: string[];
  /** Why the model called the tools: its reasoning, or else what it said beside the calls. */
  reasoning?: string;
  /** The tool that the span ran. */
  tool?: ToolCall;
  /** The id of the call of a tool or model. Only of a span without input or output, which a log record may have. */
  callId?: string;
  /** Set if the span read from a memory. */
  isRetrieval?: true;
  /** A part of an answer, on a span of its own. */
  chunk?: string;
  /** The decisions that the application wrote down, and those of people about it. */
  decisions?: WrittenDecision[];
  /** The decisions that a framework says the span is about. A span below it may say them again. */
  frameworkDecisions?: WrittenDecision[];

  /** The judgements that the span tells, of itself or of another span. */
  scores?: ScoreFacts[];
  /** By which judgements name what they are about. */
  responseId?: string;
  /** Set if the span is the work of an evaluator: what it tells is about the span above it. */
  isEvaluator?: true;

  /** Set if the span itself has a payload, so that log records need not complete it. */
  hasInput?: true;
  hasOutput?: true;
}

export interface ToolCall {
  name: string;
  arguments?: unknown;
}

/** A decision that an application or a framework wrote down. */
export interface WrittenDecision {
  type: DecisionPointType;
  chosen: unknown;
  alternatives?: unknown[];
  reasoning?: string;
  context?: unknown;
  costUsd?: number;
  durationMs?: number;
  /** With which the option was drawn at random, if it was. */
  probability?: number;
  /** Absent if the decision was made at the end of its span. */
  timeMs?: number;
}

/** A judgement, without where it was told. */
export interface ScoreFacts {
  name: string;
  value: number | boolean | string;
  /** What a number means in words. */
  label?: string;
  comment?: string;
  source: ScoreSource;
  /** The library that told it; absent if it has no name. */
  author?: string;
  /** 0: unknown. */
  timeMs: number;
  /** The JSON of an object. */
  metadata?: string;
  /** The response of a model that is judged. */
  responseId?: string;
  /** What is judged whatever kind of span tells it: that span, or the one above it. */
  about?: "span" | "parent";
}

/** What a log record says about its span. It is stored as JSON, too, perhaps before its span has come. */
export interface LogFacts {
  /** Null if the record is about the run. */
  spanId: string | null;
  /** The call of a tool or model that the record is about, if `spanId` is not its span. */
  callId?: string;
  timeMs: number;
  /** The place of the record in its request. Records of the same time are in this order. */
  position?: number;
  /** One message of the span's input. */
  message?: unknown;
  /** One answer of the model. */
  choice?: unknown;
  /** All messages of the input or of the output. */
  input?: unknown;
  output?: unknown;
  /** The instructions to the model. */
  system?: unknown;
  /** The names of the tools that the model could call. */
  offered?: string[];
  asksForTools?: true;
  /** Set if the record is an event of the span by itself. */
  event?: { name: string; metadata: Readonly<Record<string, unknown>> | null };
  score?: ScoreFacts;
}

/** What a log record says, without where and when. */
export type LogContent = Omit<LogFacts, "spanId" | "timeMs" | "position">;
