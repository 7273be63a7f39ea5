import { readFile } from "node:fs/promises";
import { maskText } from "@whytrace/contract";
import type { OutcomeDefinition } from "@whytrace/contract/schemas/outcomes";
import { type Api, isRecord } from "../../api.ts";
import { type Command, usageError } from "../../command.ts";
import { printable } from "../../print/output.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const FILE =
  'The file has JSON: { "agent": null, "version": 0, "bad": [{ "kind": "status", "is": "ERROR" }] }, as `outcome show` prints it.';

export const outcomeShow: Command = {
  name: "outcome show",
  about: "print what counts as bad, as JSON for a file",
  positionals: [],
  options: {
    agent: { value: "name", about: "of this agent; default: the workspace's definition" },
    ...TARGET_OPTIONS,
  },
  details: "An agent without a definition of its own has the workspace's. Version 0 is built in.",
  async run(call) {
    const agent = call.args.text("agent") ?? null;
    const { version, bad, note } = await inForce(await readingApi(call), agent);
    const json = { agent, version, bad, ...(note !== null && { note }) };
    call.output.rawJson(`${JSON.stringify(json, null, call.output.isJson ? 0 : 2)}\n`);
    return undefined;
  },
};

export const outcomePreview: Command = {
  name: "outcome preview",
  about: "say what a definition would change, and save nothing",
  positionals: ["<file>"],
  options: TARGET_OPTIONS,
  details: FILE,
  async run(call) {
    const { args, output } = call;
    const { agent, bad } = await readDefinition(args.positionals[0] ?? "");
    const api = await readingApi(call);
    const preview = await api.call("POST /api/outcomes/preview", { body: { agent, bad } });
    output.json(preview);
    const { runs, before, after, changed } = preview;
    output.line(`${changed} of ${runs} runs would change.`);
    for (const [title, counts] of Object.entries({ before, after }))
      output.line(
        `${title.padEnd(6)}  ${counts.good} good, ${counts.bad} bad, ${counts.unknown} unknown, ${counts.open} open`,
      );
    for (const example of preview.examples)
      output.line(
        `${example.before} → ${example.after}  ${printable(example.traceId)}${example.reason === null ? "" : `: ${printable(example.reason)}`}`,
      );
    return undefined;
  },
};

export const outcomeSet: Command = {
  name: "outcome set",
  about: "save what counts as bad from a file",
  positionals: ["<file>"],
  options: TARGET_OPTIONS,
  details: `${FILE}\nNeeds a session. Refuses a file whose version is not the one in force; saves nothing if its conditions are in force already.`,
  async run(call) {
    const { args, output } = call;
    const definition = await readDefinition(args.positionals[0] ?? "");
    const api = await readingApi(call);
    const current = await inForce(api, definition.agent);
    if (current.version > 0 && JSON.stringify(current.bad) === JSON.stringify(definition.bad)) {
      output.line(`Version ${current.version} is the same and in force.`);
      output.json(current);
      return undefined;
    }
    const saved = await api.call("PUT /api/outcomes", { body: definition });
    output.line(`Saved version ${saved.version}. Write it into the file before the next change.`);
    output.json(saved);
    return undefined;
  },
};

type Shown = Pick<OutcomeDefinition, "version" | "bad" | "note">;

/** The definition of the agent, with version 0 and the workspace's conditions if it has none. */
async function inForce(api: Api, agent: string | null): Promise<Shown> {
  const all = await api.call("GET /api/outcomes");
  if (agent === null) return all.default;
  return all.agents.find((one) => one.agent === maskText(agent)) ?? { ...all.default, version: 0 };
}

async function readDefinition(path: string) {
  const text = await readFile(path, "utf8").catch(() => {
    throw usageError(`Cannot read ${path}`, "outcome");
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`, "outcome");
  }
  if (!isRecord(value)) throw usageError(`${path} has no JSON object`, "outcome");
  const { agent, version, bad, note } = value;
  return {
    agent: typeof agent === "string" ? agent : null,
    version: typeof version === "number" ? version : 0,
    bad,
    ...(typeof note === "string" && { note }),
  };
}
