import {
  absentFields,
  EVENT,
  type EventType,
  type ParsedEvent,
  type ParsedSpan,
  type ParsedTrace,
  TRACE,
} from "@whytrace/contract";
import type { Random } from "@whytrace/demo";
import { generateConversation, stepCount } from "./generate-conversation.ts";
import { generateDecision } from "./generate-decision.ts";
import { generateSpan } from "./generate-span.ts";
import { searchable } from "./prose.ts";
import { SIZES, type Size, type SizeOptions } from "./sizes.ts";
import { SEARCH_WORDS } from "./vocabulary.ts";

const SPANS = 12;
const DECISION_POINTS = 4;
const EVENTS = 3;

/** Occur in 70, 3 and 0.1 % of the traces. */
export const TAGS = { common: "production", medium: "vip", rare: "canary-17" } as const;

const AGENTS = [
  { kind: "support", tasks: ["Answer question", "Refund request", "Triage ticket", "Escalate complaint"] },
  {
    kind: "coding",
    tasks: ["Fix failing test", "Review pull request", "Upgrade library", "Write migration"],
  },
  { kind: "research", tasks: ["Compare vendors", "Summarise papers", "Collect sources", "Check claim"] },
] as const;
const EVENT_TYPES: readonly [EventType, ...EventType[]] = [
  "CUSTOM",
  "CUSTOM",
  "RETRY",
  "USER_FEEDBACK",
  "FALLBACK",
  "CONTEXT_OVERFLOW",
];

export interface GenerateOptions {
  count: number;
  /** `conversation`: an agent's run with the whole conversation in every model call. */
  size: Size | "conversation";
  /** The number of the first trace, if there were others before; conversations get their number of steps by it. */
  firstNumber?: number;
  /** Generates only ids, so that the same contents can be stored under other ids. */
  ids: Random;
  /** The traces start one after another in this time range. */
  fromMs: number;
  toMs: number;
}

/** Generates traces of support, coding and research agents, oldest first; deterministic for a seed. */
export function generateTraces(
  random: Random,
  { count, size, firstNumber = 0, ids, fromMs, toMs }: GenerateOptions,
): ParsedTrace[] {
  const stepMs = (toMs - fromMs) / count;
  let sessionId: string | null = null;
  return Array.from({ length: count }, (_, index) => {
    if (index === 0 || random.chance(0.2)) sessionId = random.chance(0.4) ? null : `session-${ids.hex(16)}`;
    const startedAt = Math.floor(fromMs + (index + random.next()) * stepMs);
    return generateTrace(random, {
      id: ids.uuid(),
      sessionId,
      startedAt,
      size,
      number: firstNumber + index,
    });
  });
}

type TraceOptions = Pick<ParsedTrace, "id" | "sessionId" | "startedAt"> &
  Pick<GenerateOptions, "size"> & { number: number };

function generateTrace(
  random: Random,
  { id, sessionId, startedAt, size, number }: TraceOptions,
): ParsedTrace {
  const { kind, tasks } = random.pick(AGENTS);
  const draw = random.next();
  const status = draw < 0.08 ? "ERROR" : draw < 0.1 ? "RUNNING" : "COMPLETED";
  const isRunning = status === "RUNNING";
  const durationMs = Math.round(random.logNormal(9_000, 1.1));
  const at = (step: number) => Math.floor(startedAt + (step * durationMs) / SPANS);

  const run = { startedAt, durationMs, status } as const;
  const [root, ...steps] =
    size === "conversation"
      ? generateConversation(random, { ...run, kind, steps: stepCount(number) })
      : generateSpans(random, SIZES[size], run);
  if (!root) throw new Error("A trace has a span");
  const spanAt = (index: number) => steps[index]?.id ?? null;
  return {
    ...absentFields(TRACE),
    id,
    name: `${random.pick(tasks)}: ${searchable(random, random.between(2, 6), SEARCH_WORDS.name)}`,
    sessionId,
    status,
    tags: generateTags(random, kind),
    metadata: {
      agent: `${kind}-agent`,
      version: "2.4.1",
      customer: random.between(1, 5_000),
      run: random.hex(12),
    },
    totalCost: random.chance(0.05) ? null : random.logNormal(0.03, 1.2),
    totalTokens: random.between(1_000, 60_000),
    totalDuration: isRunning || random.chance(0.03) ? null : durationMs,
    startedAt,
    endedAt: isRunning ? null : startedAt + durationMs,
    spans: [root, ...steps],
    decisionPoints: Array.from({ length: DECISION_POINTS }, (_, index) =>
      generateDecision(random, SIZES[size === "small" ? size : "full"], {
        parentSpanId: spanAt(index * 2),
        timestamp: at(index * 2 + 1),
      }),
    ),
    events: Array.from({ length: EVENTS }, (_, index) =>
      generateEvent(random, spanAt(index * 3), at(index * 3 + 2)),
    ),
  };
}

interface Run {
  startedAt: number;
  durationMs: number;
  status: "COMPLETED" | "RUNNING" | "ERROR";
}

/** The root span, which is the agent, and its steps. */
function generateSpans(
  random: Random,
  size: SizeOptions,
  { startedAt, durationMs, status }: Run,
): ParsedSpan[] {
  const isRunning = status === "RUNNING";
  const stepMs = durationMs / SPANS;
  const root = generateSpan(random, size, {
    parentSpanId: null,
    startedAt,
    durationMs: isRunning ? null : durationMs,
    isFailed: status === "ERROR",
  });
  const steps = Array.from({ length: SPANS - 1 }, (_, index) =>
    generateSpan(random, size, {
      parentSpanId: root.id,
      startedAt: Math.floor(startedAt + (index + 1) * stepMs),
      durationMs: isRunning && index === SPANS - 2 ? null : stepMs,
      isFailed: status === "ERROR" && index === SPANS - 2,
    }),
  );
  return [root, ...steps];
}

function generateTags(random: Random, kind: string): string[] {
  const tags: string[] = [random.chance(0.7) ? TAGS.common : "staging", kind];
  if (random.chance(0.03)) tags.push(TAGS.medium);
  if (random.chance(0.001)) tags.push(TAGS.rare);
  if (random.chance(0.5)) tags.push(`release-${random.between(1, 40)}`);
  return tags;
}

const generateEvent = (random: Random, spanId: string | null, timestamp: number): ParsedEvent => ({
  ...absentFields(EVENT),
  id: `ev_${random.hex(12)}`,
  spanId,
  type: random.pick(EVENT_TYPES),
  name: random.pick(["rate limited", "thumbs up", "switched model", "context trimmed"]),
  metadata: { detail: random.hex(16), attempt: random.between(1, 3) },
  timestamp,
});
