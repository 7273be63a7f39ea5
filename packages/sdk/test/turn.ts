/** What a fake model does in one turn, in a form that is the same for every provider. */
export interface Turn {
  text: string;
  reasoning?: string;
  calls: { name: string; input: unknown; kind?: "custom" | "built-in" }[];
  /** Tokens read from and written to the prompt cache, and tokens of reasoning. */
  cacheRead: number;
  cacheWrite: number;
  reasoningTokens: number;
  /** Why the model stopped before it had finished. */
  incomplete?: string;
  /** The provider reports an error after it has responded with status 200. */
  error?: string;
}

export const TEXT = "Grüße aus 東京 👋";
export const WHY = "The weather changes, so I look it up.";

const TURN: Turn = { text: TEXT, calls: [], cacheRead: 0, cacheWrite: 0, reasoningTokens: 0 };
const weather = (city: string) => ({ name: "get_weather", input: { city } });
const calling = (...calls: Turn["calls"]): Turn => ({ ...TURN, text: WHY, reasoning: WHY, calls });

const TURNS: [string, Turn][] = [
  ["weather", calling(weather("Tōkyō"))],
  ["parallel", calling(weather("Oslo"), weather("Bergen"), { name: "get_time", input: { city: "Oslo" } })],
  ["custom", calling({ name: "run_sql", input: "42", kind: "custom" })],
  [
    "web search",
    calling(
      { name: "web_search", input: { type: "search", query: "Oslo" }, kind: "built-in" },
      weather("Oslo"),
    ),
  ],
  ["cached", { ...TURN, cacheRead: 600, cacheWrite: 100, reasoningTokens: 150 }],
  ["too long", { ...TURN, incomplete: "max_output_tokens" }],
  ["broken", { ...TURN, error: "the model is overloaded" }],
];

/** Once a tool's result is in the prompt, the model answers with text. */
export const turnOf = (asked: string): Turn =>
  (asked.includes("22 degrees") ? undefined : TURNS.find(([prompt]) => asked.includes(prompt)))?.[1] ?? TURN;
