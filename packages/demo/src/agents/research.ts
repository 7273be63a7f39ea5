import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

const SYSTEM = "You are a research agent. Every claim carries its source. Say what you could not find.";
const SOURCES = [
  "annual report",
  "regulator filing",
  "trade press",
  "analyst note",
  "company blog",
  "conference talk",
  "patent register",
  "price list",
] as const;
const QUESTIONS = {
  "quarterly brief": [
    "What moved our category this quarter, in one page?",
    "Five sources are required by the brief.",
  ],
  "competitor scan": [
    "Which of our five competitors changed prices since June?",
    "Prices change weekly; only fresh pages count.",
  ],
  "paper digest": [
    "Summarise what is new on retrieval for long documents.",
    "Eight papers were named; read their abstracts before any of them in full.",
  ],
  "market sizing": [
    "How large is the market for refurbished outdoor gear in the EU?",
    "No single figure is published, so build it up from countries.",
  ],
} as const;

/**
 * A deep crawl looks bad only because it is chosen for hard questions, which fail more often whatever is chosen: an
 * analysis that compares like with like must not accuse it.
 */
const HARD_ERROR_RATE = 0.3;

/** Name, error rate of runs that choose the tool, and reasoning. */
const TOOLS = [
  ["web_search", 0.05, "The cached brief is eleven days old and the question is about this week."],
  ["vector_search", 0.1, "The question uses the same terms as our own notes."],
  ["cached_brief", 0.27, "A brief on the same topic exists, and reading it costs nothing."],
] as const;

function research(run: SimulatedRun, task: keyof typeof QUESTIONS, { isIncident }: RunContext): void {
  const { random } = run;
  const [question, why] = QUESTIONS[task];
  const [tool, rate, toolWhy] = random.weighted<(typeof TOOLS)[number]>([
    [TOOLS[0], 6],
    [TOOLS[1], 3],
    [TOOLS[2], 2],
  ]);
  const isHard = random.chance(0.35);
  const isDeep = random.chance(isHard ? 0.8 : 0.15);
  const isFailed = random.chance(isIncident ? rate * 2 : rate) || (isHard && random.chance(HARD_ERROR_RATE));
  run.within("AGENT", "research-agent", { question, deadline: "today" }, () => {
    run.within("CHAIN", "outline", { question }, () => {
      run.llm("claude: outline", {
        model: "sonnet",
        system: SYSTEM,
        turns: [{ role: "user", content: question }],
        reply: "1. What is known. 2. What changed. 3. Why. 4. What follows. Sources wanted for 2 and 3.",
        hiddenTokens: 2_200,
      });
      return ["known", "changed", "why", "what follows"];
    });
    run.decideAmong("PLANNING", ["outline, search, draft", "split into questions", "draft directly"], {
      chosen: isHard ? "split into questions" : "outline, search, draft",
      reasoning: why,
      context: { sourcesWanted: 5, wordsAtMost: 600 },
    });
    run.decideAmong("ROUTING", ["quick search", "deep crawl"], {
      chosen: isDeep ? "deep crawl" : "quick search",
      reasoning: isDeep
        ? "The first page of results will not settle this."
        : "One good source is enough for a question like this.",
      context: { questionWords: question.split(" ").length, sourcesWanted: isHard ? 8 : 5 },
    });
    run.decide("TOOL_SELECTION", {
      chosen: tool,
      alternatives: TOOLS.map(([name]) => name).filter((name) => name !== tool),
      reasoning: toolWhy,
      context: { cachedBriefAgeDays: random.between(2, 30), notesFound: random.between(0, 14) },
    });
    const queries = random.between(3, 8);
    for (let query = 1; query <= queries; query++)
      readSource(run, tool, question, query, isFailed && query === queries);
    run.within("CHAIN", "draft", { sources: queries }, () => {
      run.llm("claude: draft", {
        model: "sonnet",
        system: SYSTEM,
        turns: [{ role: "user", content: `${question} Write the brief from the notes.` }],
        reply:
          `Demand rose by ${random.between(2, 9)} % [1], mostly from second-hand and repair [2]. Two of five competitors lowered delivery prices [3]. We found no reliable figure for returns.`.repeat(
            2,
          ),
        hiddenTokens: random.between(9_000, 22_000),
      });
      if (random.chance(0.2))
        run.event("CONTEXT_OVERFLOW", "notes summarised", { beforeTokens: 61_000, afterTokens: 8_200 });
      return null;
    });
    if (isFailed) {
      run.fail("CitationError: 2 of 5 claims have no reachable source");
      return null;
    }
    run.step("CUSTOM", "check citations", { output: { claims: 5, supported: 5 }, ms: 700 });
    return { words: random.between(380, 600), sources: queries };
  });
}

function readSource(
  run: SimulatedRun,
  tool: string,
  question: string,
  query: number,
  isFailed: boolean,
): void {
  const { random } = run;
  const kind = random.pick(SOURCES);
  run.within(
    "CHAIN",
    `source ${query}: ${kind}`,
    { query: `${question.split(" ").slice(2, 6).join(" ")} ${kind}` },
    () => {
      run.step("TOOL_CALL", tool, {
        input: { query: `${question.slice(0, 40)} ${kind}`, limit: 5 },
        ms: tool === "web_search" ? 1_100 : 260,
        costUsd: tool === "web_search" ? 0.005 : 0,
        ...(isFailed
          ? { error: "HTTP 403 Forbidden: publisher refuses automated reading" }
          : { output: { hits: random.between(1, 5), best: kind } }),
      });
      if (isFailed) {
        run.event("FALLBACK", "used the cached copy", { source: kind });
        return { usable: false };
      }
      run.llm("claude: take notes", {
        model: "haiku",
        system: SYSTEM,
        turns: [{ role: "user", content: `Note what this ${kind} says about: ${question}` }],
        reply: `The ${kind} gives a figure for the last quarter and names a reason; nothing on prices.`,
        hiddenTokens: random.between(3_000, 9_000),
      });
      if (random.chance(0.35))
        run.decide("CUSTOM", {
          chosen: random.pick(["keep source", "drop source"]),
          alternatives: ["ask for a second source"],
          reasoning: random.pick([
            "Primary source with a date and a named author.",
            "Repeats the press release that is already in the notes.",
            "The figure has no year, so it cannot be compared.",
          ]),
          context: { kind, trust: random.between(4, 10) / 10 },
        });
      return { usable: true };
    },
  );
}

const TAGS = [["prod"], ["prod", "eu"], ["eu"]] as const;
export const RESEARCH: Scenario[] = (
  ["quarterly brief", "competitor scan", "paper digest", "market sizing"] as const
).map((task) => ({
  name: `research-agent: ${task}`,
  weight: task === "competitor scan" ? 6 : 4,
  tags: TAGS,
  maxTurns: 2,
  releases: [{ version: "1.4.0", daysAgo: 40 }],
  simulate: (run, context) => research(run, task, context),
}));
