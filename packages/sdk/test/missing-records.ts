import type { TracePayload } from "../src/payload.ts";
import { TEXT } from "./turn.ts";

type Recorded = Pick<TracePayload, "status" | "spans" | "decisionPoints"> & {
  totalTokens?: number | null | undefined;
  endedAt?: string | null | undefined;
};

/** Returns what the trace of an agent, or its response, lacks: nothing if all is well. */
export function missingRecords(trace: Recorded | undefined, body: string): string[] {
  const missing: string[] = [];
  // A stream of the AI SDK consists of JSON that contains pieces of the text.
  for (const word of TEXT.split(" ")) if (!body.includes(word)) missing.push(`"${word}" in the response`);
  if (!trace) return [...missing, "the trace"];
  const check = (isRight: boolean, what: string) => {
    if (!isRight) missing.push(what);
  };
  const ofType = (type: string) => trace.spans.filter((span) => span.type === type);
  check(trace.status === "COMPLETED", `status COMPLETED, it is ${trace.status}`);
  check(ofType("LLM_CALL").length === 2, `two model calls, there are ${ofType("LLM_CALL").length}`);
  check(ofType("TOOL_CALL").length === 1, `one tool call, there are ${ofType("TOOL_CALL").length}`);
  for (const { name, status, statusMessage, output, endedAt } of trace.spans) {
    check(status === "COMPLETED" && !statusMessage, `a completed ${name}: ${status} ${statusMessage}`);
    check(output !== undefined && output !== null, `the output of ${name}`);
    check((endedAt ?? "") <= (trace.endedAt ?? ""), `the end of ${name} within the trace`);
  }
  check(trace.totalTokens === 2_400, `2,400 tokens, there are ${trace.totalTokens}`);
  const [decision, ...others] = trace.decisionPoints;
  check(others.length === 0, "only one decision");
  check(
    decision?.chosen === "get_weather",
    `the decision for get_weather: ${JSON.stringify(decision?.chosen)}`,
  );
  check(JSON.stringify(decision?.alternatives) === '["ask_human"]', "the alternative ask_human");
  return missing;
}
