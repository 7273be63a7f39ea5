import { RunRecorder } from "./run-recorder.ts";
import { OpenSessions } from "./third-unseen/open-sessions.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

/** Customers come again and again. Each has a favourite format, and some have a report that often cannot be delivered. */
function unluckyCustomers(random: WorldRandom): WorldAgent {
  const formats = ["export_pdf", "export_csv", "export_xml"];
  const sessions = new OpenSessions(random, 8, [15, 30], () => ({
    format: random.oneOf(formats),
    rate: random.chance(0.3) ? random.uniform(0.25, 0.35) : 0.03,
  }));
  return {
    tools: ["load_report", ...formats, "deliver"],
    guilty: [],
    run() {
      const { name, user } = sessions.next();
      const run = new RunRecorder(random);
      run.call("load_report");
      run.call(random.chance(0.95) ? user.format : random.oneOf(formats));
      return run.end(run.failsByChance("deliver", user.rate) ? "ERROR" : "COMPLETED", { session: name });
    },
  };
}

/** Week by week more runs fail and more of them use the new way, which is harmless. */
function slowDecline(random: WorldRandom): WorldAgent {
  const worst = random.uniform(0.25, 0.35);
  return {
    tools: ["open_ticket", "search_manual", "ask_assistant", "look_up_order", "answer"],
    guilty: [],
    run(index, of) {
      const part = index / of;
      const run = new RunRecorder(random);
      run.call("open_ticket");
      if (random.chance(0.4)) run.call("look_up_order");
      run.call(random.chance(0.05 + 0.85 * part) ? "ask_assistant" : "search_manual");
      return run.end(run.failsByChance("answer", 0.05 + (worst - 0.05) * part) ? "ERROR" : "COMPLETED");
    },
  };
}

/** A new release is tried in some of the runs, all the time. It searches the web more, which is harmless, and answers worse. */
function triedRelease(random: WorldRandom): WorldAgent {
  const worse = random.uniform(0.25, 0.35);
  return {
    tools: ["read_question", "search_web", "search_files", "write_answer"],
    guilty: [],
    run() {
      const isNew = random.chance(0.3);
      const run = new RunRecorder(random);
      run.call("read_question");
      run.call(random.chance(isNew ? 0.8 : 0.15) ? "search_web" : "search_files");
      const isFailed = run.failsByChance("write_answer", isNew ? worse : 0.05);
      return run.end(isFailed ? "ERROR" : "COMPLETED", { release: isNew ? "v2" : "v1" });
    },
  };
}

/** In long conversations a question that was not answered is asked again, and then mostly fails again, whatever the agent does. */
function triedAgain(random: WorldRandom): WorldAgent {
  const hard = random.uniform(0.08, 0.12);
  const sessions = new OpenSessions(random, 6, [8, 16], () => ({ wasBad: false }));
  return {
    tools: ["read_question", "search_docs", "search_history", "write_answer"],
    guilty: [],
    run() {
      const { name, user } = sessions.next();
      const run = new RunRecorder(random);
      run.call("read_question");
      run.call(random.chance(user.wasBad ? 0.8 : 0.1) ? "search_history" : "search_docs");
      user.wasBad = run.failsByChance("write_answer", user.wasBad ? 0.6 : hard);
      return run.end(user.wasBad ? "ERROR" : "COMPLETED", { session: name });
    },
  };
}

/** Nothing is planted; runs of another customer, week or release fail more or less often, and use other tools. */
export const TRENDS_AND_SESSIONS: World[] = [
  {
    name: "unlucky customers",
    plants:
      "nothing: each session (15-30 runs, recorded) has its favourite of three formats; 30 % of the sessions fail in 25-35 %, the others in 3 %",
    draw: unluckyCustomers,
  },
  {
    name: "slow decline",
    plants:
      "nothing: over the four weeks failures grow from 5 to 25-35 % and the use of `ask_assistant` from 5 to 90 %",
    draw: slowDecline,
  },
  {
    name: "tried release",
    plants:
      "nothing: a release (recorded) that is tried in 30 % of the runs fails in 25-35 %, the other in 5 %, and it uses `search_web` far more",
    draw: triedRelease,
  },
  {
    name: "tried again",
    plants:
      "nothing: in a conversation (8-16 runs, recorded) a question that was not answered is asked again and fails in 60 %, else 8-12 %; `search_history` is for second tries",
    draw: triedAgain,
  },
];
