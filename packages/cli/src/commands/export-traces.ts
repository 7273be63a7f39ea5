import { queryString } from "@whytrace/contract";
import { type Command, usageError } from "../command.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";
import { FILTER_OPTIONS, filterQuery } from "../trace-filter.ts";

export const exportTraces: Command = {
  name: "export",
  about: "print whole traces as JSON Lines",
  positionals: [],
  options: {
    ids: { value: "ids", about: "only these traces: ids separated by commas, at most 200" },
    "no-payloads": {
      about: "leave out payloads: input, output, metadata, context, reasoning; options are names",
    },
    ...FILTER_OPTIONS,
    ...TARGET_OPTIONS,
  },
  details:
    "One trace per line, as `whytrace trace --json` prints it, and its outcome, with numbers and payloads exactly as they were\n" +
    "sent. If the download breaks off, the exit code is 1 and the last line may be incomplete.",
  async run(call) {
    const { args, output } = call;
    const ids = args.text("ids");
    if (ids === "") throw usageError("--ids must be one or more ids, separated by commas", "export");
    const payloads = args.has("no-payloads") ? "false" : undefined;
    const query = queryString({ ...filterQuery(args, "export"), ids, payloads });
    const api = await readingApi(call);
    for await (const piece of await api.stream(`/api/export/traces${query}`)) output.rawJson(piece);
  },
};
