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
    const api = await scoringApi(call, await readingApi(call));
    const sent = { traceId, name, value: parseValue(text), ...Object.fromEntries(fields) };
    const stored = await api.send("POST /api/scores", { scores: [sent] });
    output.line(`Scored ${printable(traceId)}: ${printable(name)} is ${printable(text)}.`);
    output.json(stored);
    return undefined;
  },
};

function parseValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return NUMBER.test(text) ? Number(text) : text;
}
