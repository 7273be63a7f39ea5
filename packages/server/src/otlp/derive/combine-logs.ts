import { readAnswer } from "../map/read-answer.ts";
import type { LogFacts, ToolCall } from "../map/span-facts.ts";
import { storableReasoning } from "../map/storable-reasoning.ts";

/** What all log records of a span say together. */
export interface LoggedCall {
  input?: unknown;
  output?: unknown;
  calls: ToolCall[];
  /** Why the model called tools, whether or not the records name them. */
  reasoning: string | undefined;
  offered: string[] | undefined;
  asksForTools: boolean;
}

/** Combines log records by span. Their order and repetition make no difference. */
export function combineLogs(logs: Iterable<LogFacts>): Map<string, LoggedCall> {
  const sorted = [...logs]
    .map((facts) => ({ facts, json: JSON.stringify(facts) }))
    .sort(
      (a, b) =>
        a.facts.timeMs - b.facts.timeMs ||
        (a.facts.position ?? 0) - (b.facts.position ?? 0) ||
        (a.json < b.json ? -1 : a.json > b.json ? 1 : 0),
    )
    .filter(({ json }, index, all) => json !== all[index - 1]?.json);
  const bySpan = new Map<string, LogFacts[]>();
  for (const { facts } of sorted) {
    if (facts.spanId === null) continue;
    const own = bySpan.get(facts.spanId);
    if (own) own.push(facts);
    else bySpan.set(facts.spanId, [facts]);
  }
  return new Map([...bySpan].map(([spanId, own]) => [spanId, combine(own)]));
}

function combine(logs: LogFacts[]): LoggedCall {
  const first = <Key extends keyof LogFacts>(key: Key) => logs.find((log) => log[key] !== undefined)?.[key];
  const all = (key: "message" | "choice") =>
    logs.map((log) => log[key]).filter((value) => value !== undefined);
  const [messages, choices] = [all("message"), all("choice")];
  const system = first("system");
  const input = first("input") ?? (messages.length > 0 ? messages : undefined);
  const output = first("output") ?? (choices.length > 1 ? choices : choices[0]);
  const { calls, reasoning, text } = readAnswer(output);
  const why = reasoning ?? text;
  return {
    ...(input !== undefined && { input: system === undefined ? input : { system, messages: input } }),
    ...(output !== undefined && { output }),
    calls,
    reasoning: why === undefined ? undefined : storableReasoning(why),
    offered: first("offered"),
    asksForTools: first("asksForTools") === true,
  };
}
