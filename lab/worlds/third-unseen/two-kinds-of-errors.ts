import { RunRecorder } from "../run-recorder.ts";
import { mix } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * An agent summarises the documents of a folder. Reading one errs in two ways: it times out, which is harmless, or the agent may not
 * read it, and then the summary is mostly refused at the end. To the one it reacts with `wait_a_moment`, to the other with
 * `request_access` or `switch_account`, which nobody answers in time: with or without them as many runs fail.
 * Truth: none. Which error it was stands in the message of the call before.
 */
export const TWO_KINDS_OF_ERRORS: World = {
  name: "third unseen: two kinds of errors",
  plants:
    "nothing: a time-out is harmless, a denied permission (14-18 %) fails the run (65-80 %); the message tells, and `request_access`, `switch_account` only follow the latter",
  draw(random) {
    const denied = random.uniform(0.14, 0.18);
    const fatal = random.uniform(0.65, 0.8);
    const afterDenied = mix({ request_access: 9, switch_account: 5, read_document: 6 });
    const afterTimeout = mix({ wait_a_moment: 10, read_document: 9, request_access: 1 });
    return {
      tools: [
        "open_drive",
        "list_folder",
        "read_document",
        "wait_a_moment",
        "request_access",
        "switch_account",
        "extract_table",
        "summarise",
        "share_summary",
      ],
      guilty: [],
      run() {
        const run = new RunRecorder(random);
        run.call("open_drive");
        run.call("list_folder");
        const kind = random.chance(denied) ? "denied" : random.chance(0.3) ? "timeout" : null;
        const documents = random.between(2, 5);
        const at = random.between(0, documents - 1);
        for (let document = 0; document < documents; document += 1) {
          const error = document !== at || kind === null ? null : kind;
          if (error === null) run.call("read_document");
          else {
            run.call("read_document", error === "denied" ? "403 permission denied" : "request timed out");
            run.call(random.oneOf(error === "denied" ? afterDenied : afterTimeout));
          }
          if (random.chance(0.3)) run.call("extract_table");
        }
        run.call("summarise");
        const isFailed = random.chance(kind === "denied" ? fatal : 0.06);
        run.call("share_summary", isFailed ? "summary is incomplete" : null);
        return run.end(isFailed ? "ERROR" : "COMPLETED");
      },
    };
  },
};
