import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import type { Api } from "../../api.ts";
import { type Call, type Command, usageError } from "../../command.ts";
import { printable } from "../../print/output.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";
import { issueNumber } from "./issue-number.ts";

const NEEDS_REVIEW = "Needs a sign-in, or a key with the scope review in WHYTRACE_READ_KEY.";
const RESOLVED_IN = ["now", "next"];

/** Sends a change, and says what state the issue has then. */
async function change(
  call: Call,
  command: string,
  send: (api: Api, params: { number: number }) => Promise<Issue>,
): Promise<undefined> {
  const { args, output } = call;
  const number = issueNumber(args, `issue ${command}`);
  const api = await readingApi(call);
  const changed = await send(api, { number });
  output.json(changed);
  output.line(`#${changed.number} is ${changed.state}: ${printable(changed.title, 100)}`);
}

export const issueResolve: Command = {
  name: "issue resolve",
  about: "say in which runs the fix of an issue is",
  positionals: ["<number>"],
  options: {
    in: { value: "in", about: "now: in runs that start from now on (default); next: in the next release" },
    release: { value: "name", about: "in this release, which may come later" },
    note: { value: "text", about: "what was fixed" },
    ...TARGET_OPTIONS,
  },
  details: `A run with the same problem in which the fix should be regresses the issue. ${NEEDS_REVIEW}`,
  async run(call) {
    const { args } = call;
    const [given, release, note] = [args.text("in"), args.text("release"), args.text("note")];
    if (given !== undefined && release !== undefined)
      throw usageError("Pass either --in or --release", "issue resolve");
    if (given !== undefined && !RESOLVED_IN.includes(given))
      throw usageError(`--in must be one of ${RESOLVED_IN.join(", ")}`, "issue resolve");
    const fixedIn = release === undefined ? (given ?? "now") : "release";
    return change(call, "resolve", (api, params) =>
      api.call("POST /api/issues/:number/resolve", { params, body: { in: fixedIn, release, note } }),
    );
  },
};

export const issueIgnore: Command = {
  name: "issue ignore",
  about: "announce nothing more of an issue",
  positionals: ["<number>"],
  options: {
    runs: { value: "n", about: "until so many more runs came" },
    until: { value: "date", about: "until a date, for example 2026-12-01" },
    ...TARGET_OPTIONS,
  },
  details: `Without an option: for ever. ${NEEDS_REVIEW}`,
  async run(call) {
    const { args } = call;
    if (args.has("runs") && args.has("until"))
      throw usageError("Pass either --runs or --until", "issue ignore");
    const body = {
      untilRuns: args.integer("runs", { min: 1, max: 1_000_000 }),
      untilDate: args.text("until"),
    };
    return change(call, "ignore", (api, params) =>
      api.call("POST /api/issues/:number/ignore", { params, body }),
    );
  },
};

export const issueReopen: Command = {
  name: "issue reopen",
  about: "open an issue again",
  positionals: ["<number>"],
  options: {
    "except-release": { value: "name", about: "resolve it again: this release does not have the fix" },
    ...TARGET_OPTIONS,
  },
  details: NEEDS_REVIEW,
  run: (call) =>
    change(call, "reopen", (api, params) =>
      api.call("POST /api/issues/:number/reopen", {
        params,
        body: { exceptRelease: call.args.text("except-release") },
      }),
    ),
};

export const issueComment: Command = {
  name: "issue comment",
  about: "comment on an issue",
  positionals: ["<number>", "<text>"],
  options: TARGET_OPTIONS,
  details: NEEDS_REVIEW,
  async run(call) {
    const { args, output } = call;
    const number = issueNumber(args, "issue comment");
    const api = await readingApi(call);
    const entry = await api.call("POST /api/issues/:number/comments", {
      params: { number },
      body: { text: args.positionals[1] },
    });
    output.json(entry);
    output.line(`Commented on #${number}.`);
    return undefined;
  },
};
