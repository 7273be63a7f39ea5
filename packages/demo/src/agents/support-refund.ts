import { Random } from "../random.ts";
import { type Customer, randomCustomer } from "../random-customer.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import { retryThenEscalate } from "./retry-then-escalate.ts";
import type { RunContext, Scenario } from "./scenario.ts";
import { loadCustomer, SUPPORT_RELEASES, SUPPORT_SYSTEM, SUPPORT_TAGS, understand } from "./support.ts";

/**
 * How often the first call of a tool fails, by what was decided before it. These differ so that the analysis of decisions
 * has something to find: refund_api is worse than its alternatives, above all with a cached policy.
 */
const ERROR_RATES = {
  "cached policy": { refund_api: 0.56, ask_human: 0.1, lookup_policy: 0.17 },
  "fetch policy": { refund_api: 0.26, ask_human: 0.07, lookup_policy: 0.1 },
} as const;
type Policy = keyof typeof ERROR_RATES;
type Tool = keyof (typeof ERROR_RATES)[Policy];

/** Since 2.3.0 the prompt asks for fewer detours, so the agent chooses what is fastest. */
const DIRECT_SINCE = "2.3.0";
const NEVER_CHOSEN = "issue_voucher";
const PLANS = ["verify, refund, confirm", "ask for proof first", "offer store credit"] as const;

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

const ASKS = [
  ({ order }: Customer) =>
    `Hi, I sent back the ${order.item} from order ${order.id} two weeks ago and still have no money.`,
  ({ order }: Customer) => `${order.id} arrived broken. I would like a refund please, not a replacement.`,
  ({ order }: Customer) =>
    `You charged me ${order.total.toFixed(2)} twice for ${order.id}?! Please refund one of them.`,
] as const;

interface Refund {
  who: Customer;
  plan: (typeof PLANS)[number];
  context: RunContext;
}

function refund(run: SimulatedRun, context: RunContext): void {
  const { random } = run;
  const who = randomCustomer(new Random(context.agentSessionSeed));
  const ask = random.pick(ASKS)(who);
  run.within("AGENT", "support-agent", { message: ask, customer: who.id, channel: "chat" }, () => {
    understand(run, ask, "refund", ["exchange", "billing"]);
    loadCustomer(run, who);
    run.decideAmong("CUSTOM", ["trust session", "send a code"], {
      chosen: random.chance(0.86) ? "trust session" : "send a code",
      reasoning: "The customer signed in on a known device.",
      context: { deviceKnown: true, sessionMinutes: random.between(1, 55) },
    });
    const plan = planRefund(run, who, ask);
    verify(run, who);
    const reply = refundAgent(run, { who, plan, context });
    run.llm("claude: reply", {
      model: "haiku",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply,
      hiddenTokens: 1_700,
    });
    if (random.chance(0.12))
      run.event("USER_FEEDBACK", run.isFailed ? "thumbs down" : "thumbs up", {
        score: run.isFailed ? -1 : 1,
        comment: run.isFailed ? "Still waiting." : null,
      });
    return { message: reply };
  });
}

function planRefund(run: SimulatedRun, who: Customer, ask: string): Refund["plan"] {
  run.within("CHAIN", "plan", { goal: "settle the refund" }, () => {
    run.llm("claude: plan steps", {
      model: "sonnet",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply: `1. Verify ${who.order.id} was delivered and not refunded.\n2. Refund ${who.order.total.toFixed(2)}.\n3. Confirm to the customer.`,
      hiddenTokens: 1_900,
    });
    return null;
  });
  const plan = run.random.weighted<Refund["plan"]>([
    [PLANS[0], 8],
    [PLANS[1], 1.5],
    [PLANS[2], 0.5],
  ]);
  run.decideAmong("PLANNING", PLANS, {
    chosen: plan,
    reasoning:
      plan === PLANS[0]
        ? "Within the 30 days and below the automatic limit: the short plan is enough."
        : "Damage is claimed but not shown, and the policy wants evidence for it.",
    context: { daysSincePurchase: run.random.between(3, 41), total: who.order.total },
  });
  return plan;
}

function verify(run: SimulatedRun, { order }: Customer): void {
  const tool = run.random.chance(0.97) ? "read_order" : "ask_customer";
  run.within("CHAIN", "verify", { order: order.id }, () => {
    run.decideAmong("TOOL_SELECTION", ["read_order", "ask_customer"], {
      chosen: tool,
      reasoning: "The order number is in the message.",
      context: { order: order.id },
    });
    run.step("TOOL_CALL", tool, {
      input: { order: order.id },
      output: { id: order.id, delivered: true },
      ms: 44,
    });
    return { isDelivered: true };
  });
}

function refundAgent(run: SimulatedRun, { who, plan, context }: Refund): string {
  const { random } = run;
  const { order } = who;
  const isDirect = context.version >= DIRECT_SINCE;
  const agent = random.chance(0.97) ? "refund sub-agent" : "billing sub-agent";
  run.decideAmong("ROUTING", ["refund sub-agent", "billing sub-agent"], {
    chosen: agent,
    reasoning: "Money back for one order; no invoice has to change.",
    context: { order: order.id, total: order.total },
  });
  let reply = "";
  run.within("AGENT", agent, { order: order.id, amount: order.total }, () => {
    const policy = readPolicy(run, isDirect);
    const tool = chooseTool(run, isDirect, plan);
    const isOutage = context.isIncident && tool === "refund_api";
    const isFailing = random.chance(isOutage ? 0.85 : ERROR_RATES[policy][tool]);
    const refunded = tool !== "refund_api" ? 0.14 : isFailing && !isOutage ? 0.57 : 0.03;
    const state = random.chance(refunded) ? "refunded" : order.state;
    const input = { order: order.id, amount: order.total };
    run.decideAmong("TOOL_SELECTION", ["refund_api", "ask_human", "lookup_policy", NEVER_CHOSEN], {
      chosen: tool === "refund_api" ? { name: tool, arguments: input } : tool,
      reasoning: random.pick(WHY[tool]),
      context: {
        order: { id: order.id, state, total: order.total },
        policy: "30 days, once",
        turn: context.turn,
      },
    });
    const isSettled =
      !isFailing || retryThenEscalate(run, { tool, input, isOutage, isRefunded: state === "refunded" });
    if (isSettled) run.step("TOOL_CALL", tool, { input, output: outputOf(run, tool), ms: durationMs(tool) });
    reply = isSettled ? settledReply(tool, order) : FAILED_REPLY;
    return { settled: isSettled };
  });
  return reply;
}

function readPolicy(run: SimulatedRun, isDirect: boolean): Policy {
  const policy = run.random.chance(isDirect ? 0.82 : 0.61) ? "cached policy" : "fetch policy";
  const ageDays = run.random.between(1, 14);
  run.decideAmong("MEMORY_RETRIEVAL", ["cached policy", "fetch policy"], {
    chosen: policy,
    reasoning:
      policy === "cached policy"
        ? "A copy of the policy is at hand and was valid last week."
        : "The copy is older than the last change of the refund rules.",
    context: { policy: { ageDays, topic: "refund" }, tokensLeft: run.random.between(9, 28) * 1_000 },
  });
  run.step("MEMORY_OP", policy, {
    input: { topic: "refund" },
    output: { window: "30 days, once", ageDays: policy === "cached policy" ? ageDays : 0 },
    ms: policy === "cached policy" ? 8 : 310,
  });
  return policy;
}

/** A plan that asks for proof leads to a person more often. */
function chooseTool(run: SimulatedRun, isDirect: boolean, plan: Refund["plan"]): Tool {
  return run.random.weighted<Tool>([
    ["refund_api", (isDirect ? 73 : 42) * (plan === PLANS[0] ? 1 : 0.5)],
    ["ask_human", isDirect ? 16 : 37],
    ["lookup_policy", isDirect ? 11 : 21],
  ]);
}

function outputOf(run: SimulatedRun, tool: Tool) {
  if (tool === "refund_api") return { refundId: `re_${run.random.hex(6)}`, state: "succeeded" };
  if (tool === "ask_human")
    return { answer: "approved", by: "j.weber", waitedSeconds: run.random.between(20, 400) };
  return { window: "30 days, once", eligible: true };
}

/** A person takes minutes. */
const durationMs = (tool: Tool) => (tool === "ask_human" ? 110_000 : 640);

const FAILED_REPLY =
  "I could not complete the refund myself, so a colleague is looking at it. You will hear from us today.";

const settledReply = (tool: Tool, { id, total }: Customer["order"]) =>
  tool === "ask_human"
    ? `A colleague has approved the refund of ${total.toFixed(2)}; it is on its way.`
    : `I have refunded ${total.toFixed(2)} for ${id}. It reaches your card within 3 to 5 days.`;

export const REFUND: Scenario = {
  name: "support-agent: refund request",
  weight: 34,
  tags: SUPPORT_TAGS,
  maxTurns: 3,
  releases: SUPPORT_RELEASES,
  simulate: refund,
};
