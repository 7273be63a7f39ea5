import { usageError } from "../command.ts";

const MAX_RUNS = 5_000;

interface Sample {
  runs: number;
  /** The query parameters of the queue. */
  query: { near?: string; sample?: "newest" | "random" };
  /** How runs were chosen, in words. */
  words: string;
}

/** Reads `newest:N`, `random:N` or `near:<signature>:N`. */
export function parseSample(text: string): Sample {
  const [, how = "", signature, count = ""] =
    /^(?:(newest|random)|near:([0-9a-f]{14})):(\d{1,6})$/.exec(text) ?? [];
  const runs = Number(count);
  if (count === "" || runs < 1 || runs > MAX_RUNS)
    throw usageError(
      `--sample must be newest:N, random:N or near:<signature>:N, with N from 1 to ${MAX_RUNS}, not ${JSON.stringify(text)}`,
      "judge",
    );
  if (signature !== undefined) return { runs, query: { near: signature }, words: `near ${signature}` };
  return {
    runs,
    query: { sample: how === "random" ? how : "newest" },
    words: how === "random" ? "at random" : "the newest",
  };
}
