import { expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { nodesAfterDecision } from "./nodes-after-decision.ts";

const call = { type: "LLM_CALL" } as const;
const tool = { type: "TOOL_CALL" } as const;

const after = (tree: ReturnType<typeof buildTree>, id: string) => {
  const found = tree.decisions.find((one) => one.decision.id === id);
  return found && nodesAfterDecision(tree, found).map(({ key }) => key);
};

it("lists what followed a decision inside the same span", () => {
  const tree = buildTree(
    outline(
      [span("root", [0, 10]), span("pay", [2, 9], "root")],
      [decision("go", 1, "root"), decision("end", 9, "root")],
    ),
  );
  expect(after(tree, "go")).toEqual(["s:pay", "d:end"]);
  expect(after(tree, "end")).toEqual([]);
});

it("of a model call lists the tools that were chosen and ran until the next call", () => {
  const tree = buildTree(
    outline(
      [
        span("root", [0, 20]),
        span("chat 1", [0, 2], "root", call),
        span("execute_tool search", [2, 3], "root", tool),
        span("execute_tool refund", [3, 4], "root", tool),
        span("chat 2", [4, 6], "root", call),
        span("execute_tool late", [6, 7], "root", tool),
      ],
      [decision("refund", 2, "chat 1"), decision("search", 2, "chat 1"), decision("elsewhere", 2, "chat 1")],
    ),
  );
  expect(after(tree, "refund")).toEqual(["s:execute_tool refund"]);
  expect(after(tree, "search")).toEqual(["s:execute_tool search"]);
  expect(after(tree, "elsewhere")).toEqual(["s:execute_tool search", "s:execute_tool refund"]);
});

it("finds the tools beside the step that contains the call, and the next call if no tool was recorded", () => {
  const nested = buildTree(
    outline(
      [
        span("root", [0, 9]),
        span("step", [0, 2], "root"),
        span("chat", [0, 2], "step", call),
        span("search", [2, 3], "root", tool),
      ],
      [decision("search", 2, "chat")],
    ),
  );
  expect(after(nested, "search")).toEqual(["s:search"]);
  const bare = buildTree(
    outline(
      [span("chat 1", [0, 2], null, call), span("chat 2", [3, 4], null, call)],
      [decision("search", 2, "chat 1")],
    ),
  );
  expect(after(bare, "search")).toEqual(["s:chat 2"]);
});
