import type { Status } from "@whytrace/contract";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import type { Slots } from "../conventions/slots.ts";
import { asText } from "../decode/attribute-value.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";

const ERROR_CODE = 2;
const MAX_MESSAGE_BYTES = 65_536;

/** LangSmith sends failed runs with the status OK and an exception. */
const SCOPE_WITH_FAILURES_AS_OK = "langsmith";

interface SpanStatus {
  status: Status;
  statusMessage: string | null;
}

export function spanStatus(slots: Partial<Slots>, span: OtlpSpan): SpanStatus {
  const exception = span.events.find(({ name }) => name === "exception")?.attributes;
  const isFailed =
    span.statusCode === ERROR_CODE ||
    slots.errorType !== undefined ||
    slots.isFailed === true ||
    (span.scope.name === SCOPE_WITH_FAILURES_AS_OK && exception !== undefined);
  const message = isFailed
    ? (asText(span.statusMessage) ??
      slots.errorMessage ??
      asText(exception?.get("exception.message")) ??
      slots.errorType)
    : asText(span.statusMessage);
  return { status: isFailed ? "ERROR" : "COMPLETED", statusMessage: firstLine(message) };
}

/** Some add the stack to the message. */
function firstLine(text: string | undefined): string | null {
  const line = text?.split("\n", 1)[0]?.trim();
  return line ? storableText(line, MAX_MESSAGE_BYTES) : null;
}
