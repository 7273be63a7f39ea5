import type { Api } from "../../api.ts";
import type { Command } from "../../command.ts";
import type { Output } from "../../print/output.ts";
import { printIssue } from "../../print/print-issue.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";
import { issueNumber } from "./issue-number.ts";
import { whyCommand } from "./why-command.ts";

export const issue: Command = {
  name: "issue",
  about: "show an issue: runs, likely decision, releases, what happened to it",
  positionals: ["<number>"],
  options: {
    prompt: { about: "print a prompt that hands the issue to a coding agent" },
    ...TARGET_OPTIONS,
  },
  details:
    'claude "$(npx whytrace issue 31 --prompt)" hands it to a coding agent. The prompt contains no text of a run.\n' +
    "Exits with 4 if there is no such issue. `issue resolve`, `ignore`, `reopen` and `comment` change it.",
  async run(call) {
    const { args, output } = call;
    const number = issueNumber(args, "issue");
    const api = await readingApi(call);
    if (args.has("prompt")) return printPrompt(api, number, output);
    const [detail, { timeline }] = await Promise.all([
      api.call("GET /api/issues/:number", { params: { number } }),
      api.call("GET /api/issues/:number/timeline", { params: { number }, query: { limit: 10 } }),
    ]);
    output.json({ ...detail, timeline });
    if (output.isJson) return undefined;
    const why = detail.examples && (await whyCommand(api, detail, detail.examples.newest));
    printIssue(detail, timeline, output, { url: api.pageUrl, now: Date.now(), why });
    return undefined;
  },
};

async function printPrompt(api: Api, number: number, output: Output): Promise<undefined> {
  let prompt = "";
  for await (const piece of await api.stream(`/api/issues/${number}/prompt`)) prompt += piece;
  output.json({ prompt });
  output.line(prompt.trimEnd());
}
