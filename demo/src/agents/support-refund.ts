import { Random } from "../random.ts";
import { type Customer, randomCustomer } from "../random-customer.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";
import { loadCustomer, SUPPORT_SYSTEM, SUPPORT_TAGS, understand } from "./support.ts";

/** Error rate of runs by chosen tool. They differ so that the analysis of decisions has something to find. */
const ERROR_RATES = { refund_api: 0.41, ask_human: 0.04, lookup_policy: 0.09 } as const;
type Tool = keyof typeof ERROR_RATES;

const WHY: Record<Tool, readonly [string, ...string[]]> = {
  refund_api: [
    "Customer quotes an order number, so the refund API is the direct route; a human is slower and the policy lookup was already done.",
    "The amount is below the automatic limit and the order is delivered; refunding at once saves the customer a wait.",
    "Policy allows 30 days and the order is 9 days old. Nothing left to check before refunding.",
  ],
  ask_human: [
    "The customer has asked for two refunds this month; a person should look before money moves.",
    "The total is above the limit for automatic refunds.",
    "The photo shows damage in transit, and damage claims are decided by a person.",
  ],
  lookup_policy: [
    "Purchase date is not in the message, so whether the return window is still open is unknown.",
    "The item was on sale; sale items follow a different rule, so read it first.",
  ],
};

const ERRORS = [
  ["409 already refunded", "HTTP 409 Conflict: order was already refunded (refund_id=re_7Q2k)"],
  ["504 from ledger", "HTTP 504 Gateway Timeout: upstream ledger.internal did not answer within 2000 ms"],
  ["card network refused", "PaymentError: card network declined the reversal (code 57, do not retry)"],
] as const;

const ASKS = [
  ({ order }: Customer) =>
    `Hi, I sent back the ${order.item} from order ${order.id} two weeks ago and still have no money.`,
  ({ order }: Customer) => `${order.id} arrived broken. I would like a refund please, not a replacement.`,
  ({ order }: Customer) =>
    `You charged me ${order.total.toFixed(2)} twice for ${order.id}?! Please refund one of them.`,
] as const;

function refund(run: SimulatedRun, { agentSessionSeed, isIncident, turn }: RunContext): void {
  const who = randomCustomer(new Random(agentSessionSeed));
  const ask = run.random.pick(ASKS)(who);
  const tool = run.random.weighted<Tool>([
    ["refund_api", 5],
    ["ask_human", 3],
    ["lookup_policy", 2],
  ]);
  const isFailed = run.random.chance(isIncident && tool === "refund_api" ? 0.85 : ERROR_RATES[tool]);
  run.within("AGENT", "support-agent", { message: ask, customer: who.id, channel: "chat" }, () => {
    understand(run, ask, "refund", ["order_status", "complaint"]);
    loadCustomer(run, who);
    plan(run, who, ask);
    const reply = refundAgent(run, who, tool, isFailed, turn);
    run.llm("claude: reply", {
      model: "haiku",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply,
      hiddenTokens: 1_700,
    });
    if (run.random.chance(0.12))
      run.event("USER_FEEDBACK", isFailed ? "thumbs down" : "thumbs up", {
        score: isFailed ? -1 : 1,
        comment: isFailed ? "Still waiting." : null,
      });
    return { message: reply };
  });
}

function plan(run: SimulatedRun, who: Customer, ask: string): void {
  run.within("CHAIN", "plan", { goal: "settle the refund" }, () => {
    run.step("TOOL_CALL", "lookup_policy", {
      input: { topic: "refund", country: "EU" },
      output: { window: "30 days, once", automaticUpTo: 200, saleItems: "store credit only" },
      ms: 160,
    });
    run.llm("claude: plan steps", {
      model: "sonnet",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply: `1. Verify ${who.order.id} was delivered and not refunded.\n2. Refund ${who.order.total.toFixed(2)}.\n3. Confirm to the customer.`,
      hiddenTokens: 1_900,
    });
    const steps = run.random.weighted([
      ["verify, refund, confirm", 7],
      ["ask for photo, then decide", 2],
      ["offer store credit first", 1],
    ]);
    run.decide("PLANNING", {
      chosen: steps,
      alternatives: [
        "verify, refund, confirm",
        "ask for photo, then decide",
        "offer store credit first",
      ].filter((one) => one !== steps),
      reasoning:
        steps === "verify, refund, confirm"
          ? "Within the 30 days and below the automatic limit: the short plan is enough."
          : "Damage is claimed but not shown, and the policy wants evidence for it.",
      context: { daysSincePurchase: run.random.between(3, 41), total: who.order.total },
    });
    return { steps: steps.split(", ") };
  });
}

function refundAgent(run: SimulatedRun, who: Customer, tool: Tool, isFailed: boolean, turn: number): string {
  const { order } = who;
  const arguments_ = { order: order.id, amount: order.total };
  let reply = `I have refunded ${order.total.toFixed(2)} for ${order.id}. It reaches your card within 3 to 5 days.`;
  run.within("AGENT", "refund sub-agent", arguments_, () => {
    run.decide("TOOL_SELECTION", {
      chosen: tool === "refund_api" ? { name: tool, arguments: arguments_ } : tool,
      alternatives: Object.keys(ERROR_RATES).filter((one) => one !== tool),
      reasoning: run.random.pick(WHY[tool]),
      context: {
        order: { id: order.id, state: isFailed ? "refunded" : order.state, total: order.total },
        policy: "30 days, once",
        turn,
      },
    });
    if (!isFailed) {
      run.step("TOOL_CALL", tool, {
        input: arguments_,
        output: outputOf(run, tool),
        ms: tool === "ask_human" ? 1_900 : 640,
      });
      if (tool === "ask_human")
        reply = `A colleague has approved the refund of ${order.total.toFixed(2)}; it is on its way.`;
      return { settled: true };
    }
    reply = retryThenEscalate(run, who, tool, arguments_);
    return { settled: false };
  });
  return reply;
}

function outputOf(run: SimulatedRun, tool: Tool) {
  if (tool === "refund_api") return { refundId: `re_${run.random.hex(6)}`, state: "succeeded" };
  if (tool === "ask_human")
    return { answer: "approved", by: "j.weber", waitedSeconds: run.random.between(20, 400) };
  return { window: "30 days, once", eligible: true };
}

function retryThenEscalate(run: SimulatedRun, who: Customer, tool: Tool, input: unknown): string {
  const [short, error] = run.random.pick(ERRORS);
  run.step("TOOL_CALL", tool, { input, ms: 2_200, error });
  run.event("ERROR", short, { tool, attempt: 1 });
  const isRetried = run.random.chance(0.7);
  run.decide("RETRY", {
    chosen: isRetried ? "same arguments" : "give up",
    alternatives: [isRetried ? "give up" : "same arguments"],
    reasoning: isRetried
      ? `${short} may be transient while the ledger settles.`
      : `${short} does not go away by trying again.`,
    context: { attempt: 1, error: short, backoffMs: 400 },
  });
  if (isRetried) {
    run.wait(400);
    run.event("RETRY", `${tool} again`, { attempt: 2 });
    run.step("TOOL_CALL", tool, { input, ms: 2_300, error });
    run.event("ERROR", short, { tool, attempt: 2 });
  }
  run.llm("claude: read error", {
    model: "sonnet",
    system: SUPPORT_SYSTEM,
    turns: [{ role: "user", content: `The tool ${tool} answered: ${error}` }],
    reply: `The refund of ${who.order.id} did not go through (${short}). Trying again would not help; a person has to look at the ledger.`,
    hiddenTokens: 3_000,
  });
  const isEscalated = run.random.chance(0.8);
  run.decide("ESCALATION", {
    chosen: isEscalated ? "ask_human" : "tell the customer to wait",
    alternatives: [isEscalated ? "retry" : "ask_human"],
    reasoning: isEscalated
      ? "Two identical failures in a row; a third attempt cannot succeed because the order is already refunded."
      : "Nobody is on shift until the morning, and the ledger usually settles overnight.",
    context: { attempts: isRetried ? 2 : 1, error: short, onShift: isEscalated },
  });
  if (isEscalated)
    run.step("TOOL_CALL", "ask_human", {
      input: { queue: "refunds", summary: `${who.order.id}: ${short}` },
      output: { ticket: `T-${run.random.between(20_000, 29_999)}`, queue: "refunds" },
      ms: 520,
    });
  run.fail(`refund not settled: ${error}`);
  return isEscalated
    ? "I could not complete the refund myself, so a colleague is looking at it. You will hear from us today."
    : "The refund is delayed on our side. I will try again tomorrow morning and write to you.";
}

export const REFUND: Scenario = {
  name: "support-agent: refund request",
  weight: 22,
  tags: SUPPORT_TAGS,
  maxTurns: 3,
  version: "2.3.1",
  simulate: refund,
};
