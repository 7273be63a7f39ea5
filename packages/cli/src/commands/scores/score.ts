import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import type { Api } from "../../api.ts";
import { type Command, usageError } from "../../command.ts";
import { printable } from "../../print/output.ts";
import { KEY_OPTION, scoringApi } from "../../scoring-api.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const FIELDS = {
  span: "spanId",
  decision: "decisionId",
  comment: "comment",
  source: "source",
  author: "author",
};
const SOURCES: readonly ScoreSource[] = ["user", "judge", "code", "person"];
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export const score: Command = {
  name: "score",
  about: "judge a run, or a span or decision of it",
  positionals: ["<trace>", "<name>", "<value>"],
  options: {
    span: { value: "id", about: "judge this span" },
    decision: { value: "id", about: "judge this decision" },
    comment: { value: "text", about: "why" },
    source: { value: "source", about: "user, judge, code or person; default: code" },
    author: { value: "author", about: "who judges" },
    ...KEY_OPTION,
    ...TARGET_OPTIONS,
  },
  details:
    "true and false are booleans, digits are numbers, all else is a label. The same place, name, source and author replace the\n" +
    "score. A negative number follows --: whytrace score <trace> <name> -- -1",
  async run(call) {
    const { args, output } = call;
    if (args.has("span") && args.has("decision"))
      throw usageError("Pass either --span or --decision", "score");
    const [traceId = "", name = "", text = ""] = args.positionals;
    const fields = Object.entries(FIELDS).flatMap(([option, field]) => {
      const value = args.text(option);
      return value === undefined ? [] : [[field, value]];
    });
    const source = args.text("source");
    if (source !== undefined && !SOURCES.some((known) => known === source))
      throw usageError(
        `--source must be one of ${SOURCES.join(", ")}, not ${JSON.stringify(source)}`,
        "score",
      );
    const reader = await readingApi(call);
    const api = await scoringApi(call, reader);
    const sent = { traceId, name, value: parseValue(text), ...Object.fromEntries(fields) };
    const stored = await api.send("POST /api/scores", { scores: [sent] });
    const isWaiting = await waits(reader, { traceId, name, id: stored.ids[0] });
    output.line(`Scored ${printable(traceId)}: ${printable(name)} is ${printable(text)}.`);
    if (isWaiting) output.line("No run with this id has arrived yet: the score waits for it.");
    output.json({ ...stored, isWaiting });
    return undefined;
  },
};

async function waits(
  reader: Api,
  { traceId, name, id }: { traceId: string; name: string; id: string | undefined },
): Promise<boolean> {
  const reply = await reader.ask("GET /api/scores", { query: { traceId, name, limit: 100 } });
  return reply.isOk && reply.body.scores.some((one) => one.id === id && one.isWaiting);
}

function parseValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return NUMBER.test(text) ? Number(text) : text;
}
