import { RunRecorder } from "../run-recorder.ts";
import { callWithNoise, mix, perhaps, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * An e-mail agent asks a person for approval before it sends. A rejected mail is revised or asked about and shown once more; the
 * second rejection ends the run. In release 2.4 the drive connector delivers an old version of a file, which the reviewer notices some
 * turns later. Otherwise release 2.4 is the best of the three.
 * Truth: `attach_from_drive`, in release 2.4 only. `request_approval` carries the error, `revise_draft` and `ask_reviewer` follow it.
 */
export const OLD_ATTACHMENT: World = {
  name: "second unseen: old attachment",
  plants:
    "`attach_from_drive` attaches stale files (45-60 %) in one of three releases (recorded); the reviewer rejects the mail turns later",
  draw(random) {
    const harm = random.uniform(0.45, 0.6);
    const steps = mix({ check_tone: 3, cc_manager: 2, search_contacts: 2 });
    const releases = ["2.3", "2.4", "2.5"];
    return {
      tools: [
        "read_thread",
        "search_contacts",
        "draft_reply",
        "attach_from_drive",
        "attach_link",
        "check_tone",
        "cc_manager",
        "request_approval",
        "revise_draft",
        "ask_reviewer",
        "send_mail",
      ],
      guilty: ["chose attach_from_drive"],
      alsoTrue: ["left out attach_link"],
      run(index, of) {
        const run = new RunRecorder(random);
        const release = releases[Math.min(2, Math.floor((index / of) * 3))] ?? "";
        callWithNoise(random, run, "read_thread", 0.03);
        run.call("draft_reply");
        const attach = random.oneOf(["attach_from_drive", "attach_link", null]);
        if (attach) run.call(attach);
        const isStale = attach === "attach_from_drive" && release === "2.4" && random.chance(harm);
        const culprit = isStale ? run.lastTurn : -1;
        for (let left = random.between(0, 3); left > 0; left -= 1) run.call(random.oneOf(steps));
        if (isStale || random.chance(release === "2.4" ? 0.1 : 0.16)) {
          run.call("request_approval", "rejected by reviewer");
          run.call(random.oneOf(["revise_draft", "revise_draft", "ask_reviewer"]));
          if (random.chance(isStale ? 0.85 : 0.4)) {
            run.call("request_approval", "rejected by reviewer");
            return run.end("ERROR", { release, culprits: some(culprit) });
          }
        }
        run.call("request_approval");
        const send = perhaps(random, "send_mail", 0.95);
        if (send) run.call(send);
        return run.end("COMPLETED", { release });
      },
    };
  },
};
