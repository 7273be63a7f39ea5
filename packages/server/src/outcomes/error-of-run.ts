import { maskMessage } from "../decision-facts/messages/mask-message.ts";
import { TraceErrors } from "../decision-facts/trace-errors.ts";

/** A failed run, as far as it says what it failed with. Instants are milliseconds. */
export interface FailedRun {
  startedAt: number;
  endedAt: number | null;
  spans: readonly {
    id: string;
    parentSpanId: string | null;
    name: string;
    status: string;
    statusMessage: string | null;
    startedAt: number;
    endedAt: number | null;
  }[];
  events: readonly { type: string; name: string; spanId: string | null; timestamp: number }[];
}

export interface ErrorOfRun {
  /** The message as it was sent; the name of what failed, if it has none; null if only the run itself says that it failed. */
  message: string | null;
  spanId: string | null;
}

/** The error that a failed run ended with, which the blame of a run explains, too. */
export function errorOfRun({ startedAt, endedAt, spans, events }: FailedRun): ErrorOfRun {
  const errors = events.filter(({ type }) => type === "ERROR");
  const steps = TraceErrors.find({
    status: "ERROR",
    startedAt,
    endedAt,
    spans: spans.map((span) => ({ ...span, isFailed: span.status === "ERROR" })),
    decisions: [],
    events: errors.map(({ spanId, timestamp }, index) => ({ id: String(index), spanId, timestamp })),
  });
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { spanId = null, eventId = null } = step.value.ofTrace() ?? {};
  if (eventId !== null) return { message: errors[Number(eventId)]?.name ?? null, spanId };
  const failed = spanId === null ? undefined : spans.find(({ id }) => id === spanId);
  return { message: failed ? failed.statusMessage?.trim() || failed.name : null, spanId };
}

const WITHOUT_MESSAGE = "Ended in error without a message";

/** By which text runs that failed alike are known. */
export const textOfError = ({ message }: ErrorOfRun): string =>
  (message === null ? "" : maskMessage(message)) || WITHOUT_MESSAGE;
