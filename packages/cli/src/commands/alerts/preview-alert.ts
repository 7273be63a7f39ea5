import { readFile } from "node:fs/promises";
import { type Command, usageError } from "../../command.ts";
import { formatCount } from "../../print/format.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

export const alertsPreview: Command = {
  name: "alerts preview",
  about: "say when a rule would have fired in the last 30 days, and save nothing",
  positionals: ["<file>"],
  options: TARGET_OPTIONS,
  details:
    'The file has JSON: { "kind": "failure_rate", "name": "failures", "agent": "support-agent", "comparedWith": "past" }.\n' +
    "Needs a sign-in.",
  async run(call) {
    const { args, output } = call;
    const rule = await readRule(args.positionals[0] ?? "");
    const api = await readingApi(call);
    const preview = await api.send("POST /api/alerts/rules/preview", rule);
    output.json(preview);
    const { from, wouldHaveFired, firings, reason } = preview;
    output.line(
      reason === null
        ? `It would have fired ${formatCount(wouldHaveFired, "time")} since ${from}.`
        : `Nothing can be said: ${reason}.`,
    );
    for (const firing of firings)
      output.line(`${firing.from}  to ${firing.to ?? "now"}, ${formatCount(firing.runs, "run")}`);
    return undefined;
  },
};

async function readRule(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch(() => {
    throw usageError(`Cannot read ${path}`, "alerts preview");
  });
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`, "alerts preview");
  }
}
