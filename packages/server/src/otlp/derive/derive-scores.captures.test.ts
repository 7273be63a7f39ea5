import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readLogs, readTraces } from "../decode/read-otlp.ts";
import { mapLog } from "../map/map-log.ts";
import { mapSpan } from "../map/map-span.ts";
import { deriveTrace } from "./derive-trace.ts";

/** Requests that real evaluators sent. Its README says how. */
const CAPTURES = new URL("../../../../../tests/support/otlp/captures/", import.meta.url);
const bytes = (path: string) => readFileSync(new URL(path, CAPTURES));

/** The scores of a captured trace, as name, value, label, comment, author, and the name of the span that is judged. */
async function scoresOf(folder: string, signals: readonly ("traces" | "logs")[]) {
  const { spans } = await readTraces(bytes(`${folder}/traces.bin`), "protobuf");
  const { records } = signals.includes("logs")
    ? await readLogs(bytes(`${folder}/logs.bin`), "protobuf")
    : { records: [] };
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const { scores, loggedEvents } = deriveTrace(
    spans.map((span) => mapSpan(span).facts),
    records.flatMap((record, position) => mapLog(record, position) ?? []),
  );
  return {
    scores: scores.map(({ name, value, label, comment, author, spanId }) => [
      name,
      value,
      label,
      comment,
      author,
      nameOf.get(spanId ?? "") ?? spanId,
    ]),
    events: loggedEvents.map(({ name, metadata }) => ({ name, metadata })),
  };
}

it("reads the scores of pydantic-evals, whose log records name the function that was evaluated", async () => {
  const { scores, events } = await scoresOf("pydantic-evals", ["traces", "logs"]);
  const of = ["pydantic-evals", "Calling __main__.answer"];
  expect(scores).toEqual([
    ["MentionsOrder", false, null, "the order is not named", ...of],
    ["Length", 17, null, null, ...of],
    ["Tone", "curt", null, null, ...of],
  ]);
  expect(events).toMatchObject([
    { name: "gen_ai.evaluation.result", metadata: { "error.type": "RuntimeError" } },
  ]);
});

it("reads the scores of Strands, which are attributes of its evaluators' spans", async () => {
  expect(await scoresOf("strands-agents-evals", ["traces"])).toEqual({
    scores: [["MentionsOrder", 0, "NO", "the order is not named", "strands-evals", "execute_case order"]],
    events: [],
  });
});
