import type { Command } from "../../command.ts";
import { formatAlignedTable } from "../../print/aligned-table.ts";
import { printable } from "../../print/output.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

export const scores: Command = {
  name: "scores",
  about: "list the latest scores",
  positionals: [],
  options: {
    trace: { value: "id", about: "only scores of this trace" },
    name: { value: "name", about: "only scores with this name" },
    last: { value: "n", about: "list so many (default 20, at most 100)" },
    ...TARGET_OPTIONS,
  },
  async run(call) {
    const { args, output } = call;
    const limit = args.integer("last", { min: 1, max: 100 }) ?? 20;
    const query = { limit, traceId: args.text("trace"), name: args.text("name") };
    const api = await readingApi(call);
    const found = await api.call("GET /api/scores", { query });
    for (const score of found.scores) output.json(score);
    if (found.scores.length === 0) output.note("No such scores.");
    else
      for (const line of formatAlignedTable(
        ["given", "name", "value", "source", "author", "trace"],
        found.scores.map(({ timestamp, name, value, label, source, author, traceId }) =>
          [
            timestamp,
            name,
            `${value}${label === null ? "" : ` ${label}`}`,
            source,
            author ?? "",
            traceId,
          ].map((cell) => printable(cell)),
        ),
      ))
        output.line(line);
    return undefined;
  },
};
