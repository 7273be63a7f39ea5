import { RunRecorder } from "../run-recorder.ts";
import { mix, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";
import { OpenSessions } from "./open-sessions.ts";

/*
 * An agent in a spreadsheet does what its user asks. Users who know it well ask for simple, clear things and often for their macros;
 * the others ask for vague things, which fail more, and rarely have macros. A macro sometimes writes over cells that a formula refers
 * to. Who knows the program well is not recorded, but the user is, as the session.
 * Truth: `run_macro`, in all sessions alike. Over all runs it looks nearly harmless, because of who uses it.
 */
export const MACRO_OF_POWER_USERS: World = {
  name: "third unseen: macro of power users",
  plants:
    "`run_macro` breaks 15-20 % of the runs in every session, but power users (35 %, fail in 4 %) run it far more than the others (fail in 22-28 %): it looks nearly harmless",
  draw(random) {
    const harm = random.uniform(0.15, 0.2);
    const casual = random.uniform(0.22, 0.28);
    const works = mix({ format_range: 3, filter_rows: 3, pivot: 2, explain_cell: 2 });
    const sessions = new OpenSessions(random, 6, [8, 30], () => random.chance(0.35));
    return {
      tools: [
        "open_sheet",
        "run_macro",
        "apply_formula",
        "format_range",
        "filter_rows",
        "pivot",
        "explain_cell",
        "export_sheet",
      ],
      guilty: ["chose run_macro"],
      alsoTrue: ["left out apply_formula"],
      run() {
        const { name, user: isPowerUser } = sessions.next();
        const run = new RunRecorder(random);
        run.call("open_sheet");
        for (let left = random.between(0, 2); left > 0; left -= 1) run.call(random.oneOf(works));
        const isMacro = random.chance(isPowerUser ? 0.65 : 0.12);
        run.call(isMacro ? "run_macro" : "apply_formula");
        const culprit = isMacro && random.chance(harm) ? run.lastTurn : -1;
        for (let left = random.between(0, 3); left > 0; left -= 1) run.call(random.oneOf(works));
        const isFailed = culprit >= 0 || random.chance(isPowerUser ? 0.04 : casual);
        run.call("export_sheet", isFailed ? "#REF! in the exported range" : null);
        return run.end(isFailed ? "ERROR" : "COMPLETED", { session: name, culprits: some(culprit) });
      },
    };
  },
};
