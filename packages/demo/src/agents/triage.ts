import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

const SYSTEM = "Route every ticket to one agent. When two fit, prefer the one that can finish it alone.";
const TICKETS = [
  ["Invoice shows the wrong VAT number", "support-agent", "Text channel, verified customer."],
  [
    "Where do your wool suppliers get certified?",
    "research-agent",
    "Asks for sources and a summary; no account is involved.",
  ],
  [
    "Checkout button does nothing on Firefox",
    "coding-agent",
    "Steps to reproduce and a console error: this is a defect, not a question.",
  ],
  [
    "Please call me back about my booking",
    "voice-agent",
    "Wants to be called; a written answer would miss the point.",
  ],
  [
    "Parcel says delivered but is not here",
    "support-agent",
    "Has an order number, and tracking is one tool call away.",
  ],
  [
    "Price page loads in nine seconds",
    "coding-agent",
    "A measurement with a page address, from our own monitoring.",
  ],
  [
    "Do you plan a shop in Lisbon?",
    "research-agent",
    "Nothing in the help pages; needs the expansion notes.",
  ],
  [
    "Move my fitting to Thursday",
    "voice-agent",
    "Calendar changes are the voice agent's job, and it was booked by phone.",
  ],
] as const;
const AGENTS = ["support-agent", "research-agent", "coding-agent", "voice-agent"] as const;

function triage(run: SimulatedRun, { isIncident }: RunContext): void {
  const { random } = run;
  const count = random.between(14, 24);
  run.within("AGENT", "router", { queue: "inbox", waiting: count }, () => {
    run.step("MEMORY_OP", "inbox.fetch", { input: { limit: 50 }, output: { tickets: count }, ms: 480 });
    for (let ticket = 1; ticket <= count; ticket++) routeTicket(run, ticket);
    if (isIncident && random.chance(0.35)) {
      run.step("TOOL_CALL", "inbox.commit", {
        input: { routed: count },
        ms: 5_000,
        error: "HTTP 503: help desk is read-only during maintenance",
      });
      run.fail("routing not saved: help desk is read-only during maintenance");
      return null;
    }
    run.step("TOOL_CALL", "inbox.commit", { input: { routed: count }, output: { saved: count }, ms: 650 });
    return { routed: count };
  });
}

function routeTicket(run: SimulatedRun, ticket: number): void {
  const { random } = run;
  const [subject, agent, why] = random.pick(TICKETS);
  run.within("CHAIN", `ticket ${ticket}`, { subject }, () => {
    run.step("MEMORY_OP", "similar tickets", {
      input: { subject },
      output: { found: random.between(0, 9) },
      ms: 90,
    });
    run.llm("gpt-mini: route", {
      model: "mini",
      system: SYSTEM,
      turns: [{ role: "user", content: subject }],
      reply: `${agent}: ${why}`,
      hiddenTokens: random.between(2_400, 6_800),
    });
    run.decide("ROUTING", {
      chosen: agent,
      alternatives: AGENTS.filter((one) => one !== agent),
      reasoning: why,
      context: { subject, similar: random.between(0, 9), confidence: random.between(62, 97) / 100 },
    });
    if (random.chance(0.08))
      run.event("FALLBACK", "routed by keyword", { ticket, reason: "model answered no known agent" });
    run.step("TOOL_CALL", "assign", { input: { ticket, agent }, output: { ok: true }, ms: 110 });
    return { agent };
  });
}

export const TRIAGE: Scenario[] = (["nightly triage", "morning triage"] as const).map((task) => ({
  name: `router: ${task}`,
  weight: 2.5,
  tags: [["batch"], ["batch", "eu"]],
  maxTurns: 0,
  releases: [{ version: "3.0.2", daysAgo: 40 }],
  simulate: triage,
}));
