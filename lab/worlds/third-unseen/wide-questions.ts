import { RunRecorder } from "../run-recorder.ts";
import { mix } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * An analyst compares markets: one, three or seven (recorded). The more markets, the more calls it makes at once, and each call fails
 * alike; a failed one is tried again in the next turn and ends the run if it fails again. Currencies and filings are only needed for
 * several markets.
 * Truth: none. `quote_fx` and `get_filings` come where there are many calls.
 */
export const WIDE_QUESTIONS: World = {
  name: "third unseen: wide questions",
  plants:
    "nothing: questions about more markets (recorded) make more calls at once, each of which fails alike (4-5 %) and is tried again (then 45 %); `quote_fx` and `get_filings` are for several markets",
  draw(random) {
    const chance = random.uniform(0.04, 0.05);
    const narrow = mix({ get_quote: 5, get_news: 4, get_filings: 1 });
    const wide = mix({ get_quote: 4, get_news: 3, get_filings: 3, quote_fx: 4 });
    return {
      tools: ["list_markets", "get_quote", "get_news", "get_filings", "quote_fx", "chart", "write_note"],
      guilty: [],
      run() {
        const markets = random.oneOf([1, 1, 3, 3, 7]);
        const situation = `markets=${markets}`;
        const run = new RunRecorder(random);
        run.call("list_markets");
        for (let left = random.between(1, 3); left > 0; left -= 1) {
          const calls = Array.from({ length: markets }, () => ({
            tool: random.oneOf(markets === 1 ? narrow : wide),
            error: random.chance(chance) ? "feed does not answer" : null,
          }));
          run.callAll(calls);
          const again = calls
            .filter(({ error }) => error !== null)
            .map(({ tool }) => ({ tool, error: random.chance(0.45) ? "feed does not answer" : null }));
          if (again.length > 0) run.callAll(again);
          if (again.some(({ error }) => error !== null)) return run.end("ERROR", { situation });
        }
        if (random.chance(0.5)) run.call("chart");
        return run.end(run.failsByChance("write_note", 0.03) ? "ERROR" : "COMPLETED", { situation });
      },
    };
  },
};
