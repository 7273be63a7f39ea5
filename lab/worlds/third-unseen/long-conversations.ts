import { RunRecorder } from "../run-recorder.ts";
import { mix } from "../unseen/choices.ts";
import type { World } from "../world.ts";
import { OpenSessions } from "./open-sessions.ts";

/*
 * An assistant talks about documents; each question is a run, and a conversation is a session of 1-16 runs. What was said fills the
 * context, so the later a question comes in its conversation, the more often the answer is lost. The later it comes, the more often the
 * assistant also calls `summarise_so_far` and opens the document again, which neither helps nor harms.
 * Truth: none. The place of a run in its session is recorded: by session and time.
 */
export const LONG_CONVERSATIONS: World = {
  name: "third unseen: long conversations",
  plants:
    "nothing: with each question of a conversation (recorded as the session) failures grow (3-4 points) and so do `summarise_so_far` and `reopen_document`",
  draw(random) {
    const growth = random.uniform(0.03, 0.04);
    const works = mix({ search_document: 4, read_section: 4, look_up_term: 2 });
    const sessions = new OpenSessions(random, 4, [1, 16], () => null);
    return {
      tools: [
        "summarise_so_far",
        "reopen_document",
        "search_document",
        "read_section",
        "look_up_term",
        "quote",
        "answer",
      ],
      guilty: [],
      run() {
        const { name, position } = sessions.next();
        const run = new RunRecorder(random);
        if (random.chance(Math.min(0.85, 0.04 + 0.08 * position))) run.call("summarise_so_far");
        if (random.chance(Math.min(0.7, 0.1 + 0.05 * position))) run.call("reopen_document");
        for (let left = random.between(1, 4); left > 0; left -= 1) run.call(random.oneOf(works));
        if (random.chance(0.4)) run.call("quote");
        const isFailed = random.chance(0.04 + growth * position);
        run.call("answer", isFailed ? "context length exceeded" : null);
        return run.end(isFailed ? "ERROR" : "COMPLETED", { session: name });
      },
    };
  },
};
