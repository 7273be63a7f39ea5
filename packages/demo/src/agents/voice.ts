import { Random } from "../random.ts";
import { randomCustomer } from "../random-customer.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

const SYSTEM = "You speak on the phone. One short sentence at a time. Read dates back before you book.";
const SLOTS = [
  "Tuesday 10:30",
  "Wednesday 16:00",
  "Thursday 9:15",
  "Friday 14:45",
  "Saturday 11:00",
] as const;

function call(run: SimulatedRun, isReschedule: boolean, { agentSessionSeed }: RunContext): void {
  const { random } = run;
  const who = randomCustomer(new Random(agentSessionSeed));
  const slot = random.pick(SLOTS);
  const hasFailed = random.chance(isReschedule ? 0.12 : 0.07);
  run.within("AGENT", "voice-agent", { caller: who.name, language: "en" }, () => {
    const turns = random.between(2, 5);
    for (let turn = 1; turn <= turns; turn++)
      run.within("CHAIN", `turn ${turn}`, null, () => {
        const words = random.pick([
          `I need a fitting for my ${who.order.item}.`,
          `Would ${slot} work?`,
          "Sorry, could you say that again?",
          "It is for two people.",
        ]);
        run.step("CUSTOM", "speech to text", {
          input: { seconds: random.between(2, 9) },
          output: { text: words },
          ms: 320,
        });
        run.llm("gpt-mini: answer", {
          model: "mini",
          system: SYSTEM,
          turns: [{ role: "user", content: words }],
          reply: random.pick([
            `I can offer ${slot}.`,
            `So that is ${slot}, is that right?`,
            "How many people is it for?",
          ]),
          hiddenTokens: 1_100,
        });
        run.step("CUSTOM", "text to speech", { output: { seconds: random.between(2, 6) }, ms: 410 });
        return { said: words };
      });
    run.decide("TOOL_SELECTION", {
      chosen: isReschedule ? "move_booking" : "create_booking",
      alternatives: ["offer_callback", "transfer_call"],
      reasoning: isReschedule
        ? "The caller has a booking on this number, and only the day changes."
        : `The caller said yes to ${slot} after it was read back.`,
      context: { slot, heardConfidence: random.between(71, 98) / 100 },
    });
    if (hasFailed) {
      run.step("TOOL_CALL", isReschedule ? "move_booking" : "create_booking", {
        input: { slot },
        ms: 1_300,
        error: `SlotTaken: ${slot} was booked by another caller 4 s ago`,
      });
      run.decide("ESCALATION", {
        chosen: "transfer_call",
        alternatives: ["offer next slot", "offer_callback"],
        reasoning: "The caller has repeated the day twice and sounds impatient; a person closes this faster.",
        context: { repeats: 2, sentiment: -0.4 },
      });
      run.fail(`SlotTaken: ${slot} was booked by another caller`);
      return null;
    }
    run.step("TOOL_CALL", isReschedule ? "move_booking" : "create_booking", {
      input: { slot, caller: who.name },
      output: { booking: `BK-${random.between(5_000, 9_000)}`, slot },
      ms: 560,
    });
    if (random.chance(0.3)) run.event("USER_FEEDBACK", "call rated", { stars: random.between(3, 5) });
    return { booked: slot };
  });
}

export const VOICE: Scenario[] = [
  { task: "booking", isReschedule: false },
  { task: "reschedule", isReschedule: true },
].map(({ task, isReschedule }) => ({
  name: `voice-agent: ${task}`,
  weight: isReschedule ? 4 : 6,
  tags: [["beta"], ["beta", "eu"]],
  maxTurns: 2,
  releases: [{ version: "0.3.0", daysAgo: 40 }],
  simulate: (run, context) => call(run, isReschedule, context),
}));
