import type { Random } from "../random.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

const SYSTEM =
  "You are a coding agent in a pull request. Make the smallest change that solves the task. Run the tests before you say that you are done.";
const REPOSITORIES = ["storefront", "ledger", "search-api", "mobile-app", "warehouse"] as const;
const FILES = [
  "src/cart/total.ts",
  "src/orders/place-order.ts",
  "src/auth/session.ts",
  "lib/queue/worker.ts",
  "src/search/rank.ts",
] as const;
const LIBRARIES = [
  ["undici", "7.2.0", "7.8.0"],
  ["zod", "3.25.1", "4.1.0"],
  ["vite", "6.3.5", "7.1.2"],
  ["pg", "8.13.1", "8.16.3"],
] as const;

interface Task {
  task: string;
  weight: number;
  brief(random: Random): string;
  plan: { chosen: string; others: [string, string]; why: string };
  /** Name, error rate of runs that choose the tool, and reasoning. */
  tools: readonly [readonly [string, number, string], ...(readonly [string, number, string])[]];
  rounds: [number, number];
  done: string;
  error: string;
}

const TASKS: Task[] = [
  {
    task: "fix flaky test",
    weight: 11,
    brief: (random) =>
      `"${random.pick(["applies the voucher once", "keeps the queue in order", "expires idle sessions"])}" fails about one time in twelve on main.`,
    plan: {
      chosen: "read test, bisect, patch",
      others: ["rewrite test", "skip test"],
      why: "The failure started with yesterday's merge, so bisecting is cheaper than rewriting.",
    },
    tools: [
      ["git_bisect", 0.08, "Narrowing by commit first keeps the context small."],
      ["grep_logs", 0.22, "The log of the failing run is at hand and names a timeout."],
      ["run_single_test", 0.3, "Running it fifty times shows whether it is the test or the code."],
    ],
    rounds: [3, 7],
    done: "The test read the clock twice across midnight UTC. It now reads it once; 200 runs pass.",
    error: "AssertionError: expected 3 to equal 2 (attempt 200 of 200)",
  },
  {
    task: "bump dependency",
    weight: 9,
    brief: (random) => {
      const [name, from, to] = random.pick(LIBRARIES);
      return `Update ${name} from ${from} to ${to} and adapt what breaks.`;
    },
    plan: {
      chosen: "read changelog, bump, fix types",
      others: ["bump and see", "pin and postpone"],
      why: "It is a major version; the changelog is shorter than the list of type errors would be.",
    },
    tools: [
      ["read_changelog", 0.07, "Three breaking changes are listed; only one concerns us."],
      ["npm_install", 0.34, "Try it first: most of our calls are simple ones."],
      ["codemod", 0.16, "The maintainers ship a codemod for exactly this rename."],
    ],
    rounds: [2, 4],
    done: "Updated, two call sites adapted, all 412 tests pass.",
    error: 'npm error ERESOLVE could not resolve: peer vite@"^6" from plugin-legacy@6.1.0',
  },
  {
    task: "write migration",
    weight: 7,
    brief: (random) =>
      `Add a column \`${random.pick(["cancelled_at", "locale", "source"])}\` to orders, backfilled, without locking the table.`,
    plan: {
      chosen: "add nullable, backfill, constrain",
      others: ["add with default", "new table"],
      why: "The table has 84 million rows; a validated constraint afterwards takes no long lock.",
    },
    tools: [
      ["explain_plan", 0.03, "Look at what the backfill would scan before running it."],
      ["run_migration", 0.19, "The statement is small and staging is free right now."],
    ],
    rounds: [4, 8],
    done: "Three migrations: add, backfill in batches of 5,000, validate. Staging took 6 min, no lock above 40 ms.",
    error: 'ERROR: canceling statement due to lock timeout (55P03) on relation "orders"',
  },
  {
    task: "review PR",
    weight: 10,
    brief: (random) =>
      `Review #${random.between(1_200, 4_800)}: ${random.pick(["cache the price list", "retry webhooks", "split the cart reducer"])}.`,
    plan: {
      chosen: "read diff, run tests, comment",
      others: ["comment on diff only", "ask the author"],
      why: "The diff touches money; reading alone has missed rounding errors before.",
    },
    tools: [
      ["read_diff", 0.02, "Eleven files, 240 lines: it fits in one go."],
      [
        "checkout_and_test",
        0.06,
        "The author says that tests were added; see that they fail without the change.",
      ],
    ],
    rounds: [2, 5],
    done: "Two remarks: the cache key leaves out the currency; the retry has no upper bound. Otherwise good.",
    error: "GitHub API: 502 Server Error while posting the review",
  },
];

function simulateTask(run: SimulatedRun, task: Task, { isIncident }: RunContext): void {
  const { random } = run;
  const repository = random.pick(REPOSITORIES);
  const brief = task.brief(random);
  const [tool, rate, why] = random.pick(task.tools);
  const isFailed = random.chance(isIncident ? Math.min(0.6, rate * 1.5) : rate);
  run.within("AGENT", "coding-agent", { task: brief, repository, branch: "main" }, () => {
    run.within("CHAIN", "plan", { task: brief }, () => {
      run.llm("gpt: plan", {
        model: "gpt",
        system: SYSTEM,
        turns: [{ role: "user", content: brief }],
        reply: `Plan: ${task.plan.chosen}. ${task.plan.why}`,
        hiddenTokens: random.between(2_500, 7_000),
      });
      run.decide("PLANNING", {
        chosen: task.plan.chosen,
        alternatives: task.plan.others,
        reasoning: task.plan.why,
        context: { repository, openFiles: random.between(1, 6), budgetUsd: 0.5 },
      });
      return task.plan.chosen.split(", ");
    });
    run.decide("TOOL_SELECTION", {
      chosen: tool,
      alternatives: task.tools.map(([name]) => name).filter((name) => name !== tool),
      reasoning: why,
      context: { repository, lastCommit: random.hex(7), testsKnown: random.between(120, 900) },
    });
    run.step("TOOL_CALL", tool, {
      input: { repository },
      output: { exitCode: 0, lines: random.between(20, 400) },
      ms: random.between(900, 4_200),
    });
    const rounds = random.between(...task.rounds);
    for (let round = 1; round <= rounds; round++)
      editRound(run, brief, round, isFailed && round === rounds, task);
    if (isFailed) {
      run.fail(task.error);
      return null;
    }
    run.step("TOOL_CALL", "open_pull_request", {
      input: { title: brief.slice(0, 60), base: "main" },
      output: { number: random.between(1_200, 4_800), checks: "pending" },
      ms: 900,
    });
    run.event("CUSTOM", "pull request opened", { reviewers: random.between(1, 3) });
    return { summary: task.done };
  });
}

function editRound(
  run: SimulatedRun,
  brief: string,
  round: number,
  isLastAndFailed: boolean,
  task: Task,
): void {
  const { random } = run;
  const file = random.pick(FILES);
  run.within("CHAIN", `round ${round}`, { file }, () => {
    run.step("TOOL_CALL", "read_file", {
      input: { path: file },
      output: { lines: random.between(40, 380) },
      ms: 35,
    });
    if (random.chance(0.3))
      run.decide("MEMORY_RETRIEVAL", {
        chosen: "notes of earlier rounds",
        alternatives: ["whole transcript", "nothing"],
        reasoning: "The notes hold what was tried; the transcript would fill a third of the window.",
        context: { windowUsed: `${random.between(21, 83)} %` },
      });
    run.llm("gpt: edit", {
      model: "gpt",
      system: SYSTEM,
      turns: [
        { role: "user", content: brief },
        { role: "assistant", content: `I have read ${file}.` },
        { role: "user", content: "Go on." },
      ],
      reply: `The smallest change is in ${file}: take the value once, before the loop, and pass it on.`,
      toolCall: { name: "apply_patch", arguments: { path: file, hunks: random.between(1, 4) } },
      tools: ["apply_patch", "read_file", "run_tests"],
      hiddenTokens: random.between(4_000, 11_000),
    });
    if (random.chance(0.06))
      run.event("CONTEXT_OVERFLOW", "older messages dropped", { droppedTokens: 18_400 });
    run.step("TOOL_CALL", "apply_patch", { input: { path: file }, output: { applied: true }, ms: 60 });
    const hasFailingTests = isLastAndFailed || random.chance(0.25);
    const tests = { input: { command: "npm test" }, ms: random.between(1_800, 6_000) };
    if (!hasFailingTests)
      run.step("TOOL_CALL", "run_tests", {
        ...tests,
        output: { passed: random.between(120, 900), failed: 0 },
      });
    else {
      run.step("TOOL_CALL", "run_tests", { ...tests, error: task.error });
      run.event("ERROR", "tests failed", { round, failed: random.between(1, 4) });
      run.decide("RETRY", {
        chosen: isLastAndFailed ? "stop" : "revise patch",
        alternatives: isLastAndFailed ? ["revise patch"] : ["stop", "revert"],
        reasoning: isLastAndFailed
          ? "The budget of the task is used up and the same assertion fails as before."
          : "One assertion of several hundred fails, and the message names the line just changed.",
        context: { round, budgetLeftUsd: isLastAndFailed ? 0.01 : 0.3 },
      });
    }
    return { file, green: !hasFailingTests };
  });
}

export const CODING: Scenario[] = TASKS.map((task) => ({
  name: `coding-agent: ${task.task}`,
  weight: task.weight,
  tags: [["ci"], ["ci"], ["ci", "canary"]],
  maxTurns: 2,
  releases: [{ version: "0.9.4", daysAgo: 40 }],
  simulate: (run, context) => simulateTask(run, task, context),
}));
