import { queryString, type SearchHit, type SearchLine } from "@whytrace/contract";
import { CliError, EXIT } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { formatCount } from "../print/format.ts";
import { type Output, printable } from "../print/output.ts";
import { STATUS_MARK, STATUS_STYLE } from "../print/status-style.ts";
import { readLines } from "../read-lines.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";
import { FILTER_OPTIONS, filterQuery } from "../trace-filter.ts";

export const search: Command = {
  name: "search",
  about: "find text inside traces, payloads too",
  positionals: ["<text>"],
  options: {
    last: { value: "n", about: "stop after this many hits (default 20, at most 200)" },
    trace: { value: "id", about: "only in this trace" },
    ...FILTER_OPTIONS,
    ...TARGET_OPTIONS,
  },
  details:
    "From the newest trace to the oldest, up to 3 hits of each. Case is ignored. Exits with 4 if nothing was found.",
  async run(call) {
    const { args, output } = call;
    const [text = ""] = args.positionals;
    const query = queryString({
      ...filterQuery(args, "search"),
      q: text,
      limit: args.integer("last", { min: 1, max: 200 }) ?? 20,
      traceId: args.text("trace"),
    });
    const api = await readingApi(call);
    let hits = 0;
    let end: SearchLine | undefined;
    for await (const json of readLines(await api.stream(`/api/search${query}`))) {
      const line: SearchLine = JSON.parse(json);
      if (line.kind === "end") end = line;
      if (line.kind !== "hit") continue;
      hits += 1;
      output.json(line);
      printHit(line, output);
    }
    if (end?.kind !== "end")
      throw new CliError(`The search broke off after ${formatCount(hits, "hit")}. Try again.`);
    output.note(
      `${formatCount(hits, "hit")} in ${formatCount(end.traces, "trace")}${end.cursor === null ? "" : "; there may be more"}.`,
    );
    return hits === 0 ? EXIT.notFound : EXIT.ok;
  },
};

function printHit(hit: SearchHit, output: Output) {
  const mark = output.paint(STATUS_STYLE[hit.status], STATUS_MARK[hit.status]);
  const record = hit.record.kind === "trace" ? "" : ` › ${printable(hit.record.name, 40)}`;
  output.line(
    `${mark} ${output.paint("bold", printable(hit.traceName, 40))}${record} ${output.paint("dim", `${hit.field} · ${printable(hit.traceId)}`)}`,
  );
  const more = hit.moreInTrace === undefined ? "" : output.paint("dim", ` +${hit.moreInTrace} more`);
  output.line(
    `  …${printable(hit.before)}${output.paint("yellow", printable(hit.match))}${printable(hit.after)}…${more}`,
  );
}
