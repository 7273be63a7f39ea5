import { RunRecorder } from "../run-recorder.ts";
import { mix } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A bookkeeping agent goes through bank statements. Its first token ends after ten turns. In half of the runs that get so far it
 * calls `refresh_token` before, and the new token lasts; otherwise a later call is mostly refused. Sometimes it then logs in again and
 * goes on. Short runs need no refresh.
 * Truth: `refresh_token` left out, in long runs only. Every call fails now and then by itself, so long runs fail more anyway.
 */
export const EXPIRED_TOKEN: World = {
  name: "third unseen: expired token",
  plants:
    "without `refresh_token` (left out in half of the runs) a call after the tenth turn is refused for good in 50-70 %; short runs do not need it",
  draw(random) {
    const harm = random.uniform(0.5, 0.7);
    const works = mix({ get_statement: 3, categorise: 4, match_invoice: 3, add_note: 1 });
    return {
      tools: [
        "login",
        "list_accounts",
        "get_statement",
        "categorise",
        "match_invoice",
        "add_note",
        "refresh_token",
        "submit_report",
      ],
      guilty: ["left out refresh_token"],
      run() {
        const run = new RunRecorder(random);
        run.call("login");
        run.call("list_accounts");
        const length = random.between(4, 16);
        const refreshesAt = random.chance(0.5) ? random.between(5, 8) : -1;
        let hasNewToken = false;
        for (let step = 0; step <= length; step += 1) {
          const tool = step === length ? "submit_report" : random.oneOf(works);
          if (run.turns.length === refreshesAt) {
            run.call("refresh_token");
            hasNewToken = true;
          }
          if (run.turns.length > 10 && !hasNewToken) {
            run.call(tool, "401 token has expired");
            if (random.chance(harm)) return run.end("ERROR", { missing: "refresh_token" });
            run.call("login");
            hasNewToken = true;
          }
          if (run.failsByChance(tool, 0.008)) return run.end("ERROR");
        }
        return run.end("COMPLETED");
      },
    };
  },
};
