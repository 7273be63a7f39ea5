import { expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { transcriptEntries } from "./transcript-entries.ts";

const call = { type: "LLM_CALL" } as const;
const tool = { type: "TOOL_CALL" } as const;
const failed = { status: "ERROR", statusMessage: "503" } as const;

const describeEntries = (tree: ReturnType<typeof buildTree>) =>
  transcriptEntries(tree).map((entry) =>
    entry.kind === "call"
      ? `call ${entry.node.span.id} after ${entry.previous.map((one) => one.span.id).join(" ") || "nothing"}${entry.tools.map(({ span: { id } }) => ` and ${id}`).join("")}`
      : `${entry.kind} ${entry.node.key}`,
  );

it("are calls, tools and decisions in the order of time, each call with those that may have begun its conversation", () => {
  const tree = buildTree(
    outline(
      [
        span("root", [0, 20], null, { type: "AGENT" }),
        span("chat 1", [1, 2], "root", call),
        span("same call", [1, 2], "chat 1", call),
        span("search", [3, 4], "root", tool),
        span("sub", [5, 9], "root", { type: "AGENT" }),
        span("other chat", [6, 7], "sub", call),
        span("chat 2", [10, 11], "root", call),
      ],
      [decision("go", 2, "chat 1")],
    ),
  );
  expect(describeEntries(tree)).toEqual([
    "request s:root",
    "call chat 1 after nothing",
    "other d:go",
    "tool s:search",
    "call other chat after chat 1 and search",
    "call chat 2 after other chat chat 1",
  ]);
});

it("say an error once, where it came from", () => {
  const tree = buildTree(
    outline([
      span("root", [0, 9], null, failed),
      span("step", [1, 8], "root", failed),
      span("search", [2, 3], "step", { ...tool, ...failed }),
      span("check", [4, 5], "root", { status: "ERROR", statusMessage: "another" }),
    ]),
  );
  expect(describeEntries(tree)).toEqual(["request s:root", "tool s:search", "other s:check"]);
});
