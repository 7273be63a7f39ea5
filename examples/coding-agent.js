// @ts-check
import { decide, event, flush, span, stats, trace } from "@whytrace/sdk";

/*
 * Fixes a failing test: plans, edits and runs the tests. If they still fail, it decides how to continue.
 * Runs offline, because a script replaces the model:  node examples/coding-agent.js
 */

const task = "sum([]) must be 0";

/** The code that the model writes, one entry per attempt. */
const ATTEMPTS = ["list.reduce((a, b) => a + b)", "list.reduce((a, b) => a + b, 0)"];

/** @param {string} source */
function runTests(source) {
  try {
    const sum = new Function("list", `return ${source}`);
    return { passed: sum([]) === 0 && sum([1, 2]) === 3, log: "2 tests ran" };
  } catch (error) {
    return { passed: false, log: String(error) };
  }
}

/** @param {number} attempt */
const write = (attempt) =>
  span("write code", { type: "LLM_CALL", input: { task, attempt } }, (s) => {
    s.set({ tokenCount: 900 + attempt * 300, costUsd: 0.004, metadata: { model: "scripted" } });
    return ATTEMPTS[attempt] ?? "0";
  });

/** @param {string} source */
const edit = (source) =>
  span("edit_file", { type: "TOOL_CALL", input: { path: "sum.js", source } }, () => ({ lines: 1 }));

/** @param {string} source */
const test = (source) => span("run_tests", { type: "TOOL_CALL" }, () => runTests(source));

await trace("coding-agent", { tags: ["coding", "example"], metadata: { task } }, async (t) => {
  await decide("PLANNING", {
    options: ["edit the function", "change the test", "rewrite the module"],
    chosen: "edit the function",
    reasoning: "The test matches the task, and only one function is wrong.",
  });

  for (let attempt = 0; attempt < ATTEMPTS.length; attempt++) {
    const source = await write(attempt);
    await edit(source);
    const { passed, log } = await test(source);
    if (passed) break;

    event("tests failed", { type: "ERROR", metadata: { attempt, log } });
    const next = await decide("RETRY", {
      options: ["try again with the log", "start over", "give up"],
      choose: () => ({
        chosen: "try again with the log",
        reasoning: "The log names the cause: reduce of an empty list needs an initial value.",
      }),
      contextSnapshot: { log },
    });
    if (next === "give up") throw new Error(`could not fix the test: ${log}`);
    event("retry", { type: "RETRY", metadata: { attempt: attempt + 1 } });
  }
  t.set({ tags: ["coding", "example", "fixed"] });
});

await flush();
console.log("fixed. sent:", stats().sent);
