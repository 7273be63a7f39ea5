import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";
import { SimulatedRun } from "./simulated-run.ts";

const FILES = [
  "cart/total.ts",
  "orders/place-order.ts",
  "auth/session.ts",
  "queue/worker.ts",
  "search/rank.ts",
] as const;
const FILES_PER_BATCH = 50;

/** One run with the given numbers of spans and decision points: an agent that migrates a whole codebase. */
export function hugeTrace(spans: number, decisions: number, { seed = 1, now = new Date(0) } = {}): DemoTrace {
  const random = new Random(seed);
  const id = random.uuid();
  // A span takes about 420 ms, and the run must not end in the future.
  const run = new SimulatedRun(random, now.getTime() - spans * 500);
  let made = 1;
  let decided = 0;
  run.within("AGENT", "coding-agent", { task: "Move every call site to the new client." }, () => {
    for (let batch = 1; made < spans; batch++) {
      made++;
      run.within("CHAIN", `batch ${batch}`, { files: FILES_PER_BATCH }, () => {
        const until = Math.min(spans, made + FILES_PER_BATCH);
        for (; made < until; made++) {
          editFile(run, made);
          if (decided < Math.floor((decisions * made) / spans)) decided += decide(run, made);
        }
        return { batch, done: made };
      });
    }
    while (decided < decisions) decided += decide(run, made);
    return { files: spans };
  });
  return run.finish({
    id,
    name: "coding-agent: codebase migration",
    sessionId: null,
    tags: ["batch", "ci"],
    metadata: { agent: "coding-agent", version: "0.9.4" },
  });
}

function editFile(run: SimulatedRun, index: number): void {
  const path = `packages/p${index % 40}/src/${run.random.pick(FILES)}`;
  if (index % 3 !== 0) {
    const isFailed = run.random.chance(0.01);
    run.step("TOOL_CALL", index % 3 === 1 ? "read_file" : "apply_patch", {
      input: { path, line: run.random.between(1, 900) },
      ms: 40,
      ...(isFailed
        ? { error: `PatchError: hunk ${run.random.between(1, 4)} of ${path} does not apply` }
        : {
            output: {
              lines: run.random.between(20, 900),
              text: `export { placeOrder } from "./${index}.ts";\n`.repeat(7),
            },
          }),
    });
    return;
  }
  run.llm("gpt: edit", {
    model: "gpt",
    system: "Replace the old client by the new one. Change nothing else.",
    turns: [
      {
        role: "user",
        content: `File ${path}:\n${"const answer = await client.get(`/orders/$" + "{id}`);\n"}`.repeat(4),
      },
    ],
    reply: `In ${path} one call changes: \`client.get\` becomes \`client.orders.get\`. The type of the answer is narrower now, so the cast goes.`,
    toolCall: { name: "apply_patch", arguments: { path, hunks: run.random.between(1, 3) } },
    tools: ["apply_patch", "skip_file"],
    hiddenTokens: 900,
  });
}

function decide(run: SimulatedRun, index: number): 1 {
  const isPatched = run.random.chance(0.8);
  run.decide("TOOL_SELECTION", {
    chosen: isPatched ? "apply_patch" : "skip_file",
    alternatives: [isPatched ? "skip_file" : "apply_patch", "ask_human"],
    reasoning: isPatched
      ? "One call site, covered by a test: safe to change."
      : "Generated file: the change belongs into its template.",
    context: { index, touched: run.random.between(1, 9) },
  });
  return 1;
}
