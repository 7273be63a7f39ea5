import { EXIT } from "../../cli-error.ts";
import { type Command, type ParsedArgs, usageError } from "../../command.ts";
import { printIssues } from "../../print/print-issues.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const STATES = ["open", "new", "ongoing", "regressed", "resolved", "ignored", "all"] as const;
const SORTS = ["inbox", "newest", "lastSeen", "runs", "people"] as const;
const FAILING = ["new", "regressed", "ongoing"];

export const issues: Command = {
  name: "issues",
  about: "list issues: what bad runs have in common",
  positionals: [],
  options: {
    state: { value: "state", about: `${STATES.join(", ")} (default open)` },
    agent: { value: "name", about: "only issues of this agent" },
    release: { value: "name", about: "only issues with a run of this release" },
    mine: { about: "only issues that are assigned to you; needs a sign-in, not a key" },
    sort: { value: "sort", about: `${SORTS.join(", ")} (default inbox)` },
    last: { value: "n", about: "number of issues (default 20)" },
    "fail-on": {
      value: "states",
      about: "exit with 1 if there is an issue in one of these states: new,regressed",
    },
    "since-release": {
      value: "name",
      about: "with --fail-on: only new issues that this release brought, and others that its runs have",
    },
    ...TARGET_OPTIONS,
  },
  details: "`whytrace issue <number>` shows one. Figures are those of the last 30 days.",
  async run(call) {
    const { args, output } = call;
    const states = failingStates(args);
    const query = queryOf(args);
    const api = await readingApi(call);
    const found = await api.call("GET /api/issues", { query });
    for (const issue of found.issues) output.json(issue);
    printIssues(found, output, Date.now());
    if (!states) return EXIT.ok;
    const since = args.text("since-release");
    const failing = found.issues.filter(
      ({ state, firstRelease }) =>
        states.includes(state) && (since === undefined || state !== "new" || firstRelease === since),
    );
    if (failing.length === 0) return EXIT.ok;
    output.note(`Failed because of ${failing.map(({ number }) => `#${number}`).join(", ")}.`);
    return EXIT.failed;
  },
};

function failingStates(args: ParsedArgs): string[] | undefined {
  const states = args.text("fail-on")?.split(",");
  if (!states && args.has("since-release")) throw usageError("--since-release needs --fail-on", "issues");
  if (states && !states.every((state) => FAILING.includes(state)))
    throw usageError(`--fail-on must be a list of ${FAILING.join(", ")}`, "issues");
  return states;
}

function queryOf(args: ParsedArgs) {
  // Whatever fails must be listed: a page has at most 100.
  const limit = args.integer("last", { min: 1, max: 100 }) ?? (args.has("fail-on") ? 100 : 20);
  return {
    state: oneOf(args, "state", STATES),
    sort: oneOf(args, "sort", SORTS),
    agent: args.text("agent"),
    release: args.text("since-release") ?? args.text("release"),
    assignee: args.has("mine") ? "me" : undefined,
    limit,
  };
}

function oneOf<Value extends string>(args: ParsedArgs, name: string, values: readonly Value[]) {
  const text = args.text(name);
  const value = values.find((known) => known === text);
  if (text !== value) throw usageError(`--${name} must be one of ${values.join(", ")}`, "issues");
  return value;
}
