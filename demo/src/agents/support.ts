import { Random } from "../random.ts";
import { type Customer, randomCustomer } from "../random-customer.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

export const SUPPORT_TAGS = [
  ["prod", "v2.3"],
  ["prod", "v2.3"],
  ["prod", "v2.3", "eu"],
  ["prod", "v2.2"],
  ["prod", "canary"],
] as const;
export const SUPPORT_SYSTEM =
  "You are the support agent of Northwind Outfitters. Be brief and kind. Never promise what a tool has not confirmed. Answer in the customer's language.";

export function understand(run: SimulatedRun, ask: string, intent: string, others: string[]): void {
  run.within("CHAIN", "understand request", { message: ask }, () => {
    run.step("CUSTOM", "redact personal data", {
      input: { chars: ask.length },
      output: { redacted: 0 },
      ms: 18,
    });
    run.llm("claude: classify intent", {
      model: "sonnet",
      system: `${SUPPORT_SYSTEM} Classify the message into one of: refund, order_status, address, invoice, cancel, complaint.`,
      turns: [{ role: "user", content: ask }],
      reply: `{"intent":"${intent}","confidence":0.${run.random.between(81, 98)}}`,
      hiddenTokens: 1_500,
    });
    run.decide("ROUTING", {
      chosen: intent,
      alternatives: others,
      reasoning: run.random.pick([
        `The message names an order and asks for one thing only: ${intent.replace("_", " ")}.`,
        `Classifier is confident, and the last message of this customer was about the same.`,
        `Keywords and classifier agree on ${intent.replace("_", " ")}.`,
      ]),
      context: { language: "en", confidence: run.random.between(81, 98) / 100 },
    });
    return { intent };
  });
}

export function loadCustomer(run: SimulatedRun, who: Customer): void {
  run.within("MEMORY_OP", "load customer", { customer: who.id }, () => {
    run.step("MEMORY_OP", "crm.get_customer", {
      input: { id: who.id },
      output: { id: who.id, name: who.name, plan: who.plan, email: who.email },
      ms: 120,
    });
    const isShort = run.random.chance(0.8);
    run.decide("MEMORY_RETRIEVAL", {
      chosen: isShort ? "last 3 orders" : "full history",
      alternatives: [isShort ? "full history" : "last 3 orders"],
      reasoning: isShort
        ? "Question names a recent purchase; the full history costs 9k tokens more."
        : "The order number is not among the last three, so look further back.",
      context: { ordersOnFile: run.random.between(3, 40), tokensLeft: run.random.between(9, 28) * 1_000 },
    });
    run.step("MEMORY_OP", "orders.list", {
      input: { customer: who.id, limit: isShort ? 3 : 100 },
      output: [{ ...who.order, placed: "9 days ago" }],
      ms: isShort ? 210 : 880,
    });
    return { customer: who.id, plan: who.plan, orders: isShort ? 3 : 17 };
  });
}

interface SimpleTask {
  task: string;
  weight: number;
  intent: string;
  others: [string, string];
  ask(who: Customer): string;
  tool: string;
  alternatives: string[];
  why: readonly [string, ...string[]];
  output(who: Customer, random: Random): unknown;
  reply(who: Customer): string;
  errorRate: number;
  error: string;
}

const SIMPLE_TASKS: SimpleTask[] = [
  {
    task: "where is my order",
    weight: 24,
    intent: "order_status",
    others: ["refund", "complaint"],
    ask: ({ order }) => `Where is my ${order.item}? It said Tuesday. Order ${order.id}.`,
    tool: "track_parcel",
    alternatives: ["read_order_notes", "ask_human"],
    why: [
      "The order has left the warehouse, so only the carrier knows where it is.",
      "A tracking number is on file; the order notes are older than the last scan.",
    ],
    output: ({ order }, random) => ({
      carrier: order.carrier,
      lastScan: random.pick(["sorting centre", "out for delivery", "customs", "parcel shop"]),
      expected: random.pick(["today", "tomorrow", "Friday"]),
    }),
    reply: ({ order }) =>
      `Your ${order.item} is with ${order.carrier} and should be with you by tomorrow. I will write again if that changes.`,
    errorRate: 0.03,
    error: "CarrierError: tracking number not known to carrier yet",
  },
  {
    task: "change address",
    weight: 10,
    intent: "address",
    others: ["order_status", "cancel"],
    ask: ({ order, address }) => `I have moved. Please send ${order.id} to ${address}.`,
    tool: "update_shipping_address",
    alternatives: ["cancel_and_reorder", "ask_human"],
    why: [
      "The parcel is not packed yet, so the address can still be changed in place.",
      "Same country and same carrier: no new label is needed.",
    ],
    output: ({ address }) => ({ updated: true, address }),
    reply: ({ address }) => `Done: the parcel goes to ${address}.`,
    errorRate: 0.05,
    error: "ValidationError: postcode does not match the city",
  },
  {
    task: "invoice copy",
    weight: 8,
    intent: "invoice",
    others: ["order_status", "refund"],
    ask: ({ order }) => `Could you send me the invoice for ${order.id} again, with our VAT number?`,
    tool: "render_invoice",
    alternatives: ["link_to_account_page"],
    why: ["A VAT number has to be added, which the account page cannot do."],
    output: ({ order }) => ({ file: `invoice-${order.id}.pdf`, pages: 1 }),
    reply: ({ email }) => `I have sent the invoice to ${email}.`,
    errorRate: 0.01,
    error: "RenderError: font subset missing for locale pl-PL",
  },
  {
    task: "cancel plan",
    weight: 6,
    intent: "cancel",
    others: ["refund", "complaint"],
    ask: () => "How do I end my Plus membership? I do not order often enough.",
    tool: "cancel_membership",
    alternatives: ["offer_pause", "ask_human"],
    why: [
      "The wish is clear and stated once; a counter-offer was already declined in March.",
      "Rules in this country ask for cancellation without detours.",
    ],
    output: () => ({ state: "ends at period end", refund: 0 }),
    reply: () => "Your membership ends with the current month. You keep its benefits until then.",
    errorRate: 0.04,
    error: "BillingError: subscription is locked by an open dispute",
  },
];

function simulateTask(
  run: SimulatedRun,
  task: SimpleTask,
  { agentSessionSeed, isIncident }: RunContext,
): void {
  const who = randomCustomer(new Random(agentSessionSeed));
  const ask = task.ask(who);
  const isFailed = run.random.chance(isIncident ? task.errorRate * 3 : task.errorRate);
  run.within("AGENT", "support-agent", { message: ask, customer: who.id, channel: "chat" }, () => {
    understand(run, ask, task.intent, task.others);
    loadCustomer(run, who);
    run.decide("TOOL_SELECTION", {
      chosen: task.tool,
      alternatives: task.alternatives,
      reasoning: run.random.pick(task.why),
      context: { order: who.order.id, state: who.order.state, plan: who.plan },
    });
    if (isFailed) {
      run.step("TOOL_CALL", task.tool, { input: { order: who.order.id }, ms: 900, error: task.error });
      run.event("ERROR", task.error.split(":")[0] ?? "error", { tool: task.tool });
      run.fail(task.error);
      return null;
    }
    run.step("TOOL_CALL", task.tool, {
      input: { order: who.order.id },
      output: task.output(who, run.random),
      ms: 380,
    });
    if (run.random.chance(0.35))
      run.step("TOOL_CALL", "search_help_pages", {
        input: { query: task.intent.replace("_", " "), limit: 3 },
        output: { hits: run.random.between(0, 3) },
        ms: 190,
      });
    const message = task.reply(who);
    run.llm("claude: reply", {
      model: "haiku",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply: message,
      hiddenTokens: 1_600,
    });
    if (run.random.chance(0.5)) run.step("CUSTOM", "guardrail: promises", { output: { ok: true }, ms: 60 });
    if (run.random.chance(0.2)) run.step("MEMORY_OP", "save transcript", { output: { turns: 4 }, ms: 45 });
    return { message };
  });
}

function complaint(run: SimulatedRun, { agentSessionSeed }: RunContext): void {
  const who = randomCustomer(new Random(agentSessionSeed));
  const ask = `This is the third time ${who.order.carrier} left my parcel in the rain. I am thinking of writing to the ombudsman.`;
  run.within("AGENT", "support-agent", { message: ask, customer: who.id, channel: "mail" }, () => {
    understand(run, ask, "complaint", ["refund", "order_status"]);
    loadCustomer(run, who);
    const isFormal = run.random.chance(0.6);
    run.decide("CUSTOM", {
      chosen: isFormal ? "tone: formal" : "tone: friendly",
      alternatives: [isFormal ? "tone: friendly" : "tone: formal"],
      reasoning: isFormal
        ? "Complaint mentions a regulator."
        : "Long-standing customer who writes informally.",
      context: { sentiment: -0.7, yearsCustomer: run.random.between(1, 9) },
    });
    run.decide("ESCALATION", {
      chosen: isFormal ? "complaints team" : "stay with agent",
      alternatives: [isFormal ? "stay with agent" : "complaints team"],
      reasoning: isFormal
        ? "Three incidents within a month is where the complaints team takes over."
        : "A voucher within my limit settles most complaints of this kind.",
      context: { incidents: 3, voucherLimit: 25 },
    });
    run.step("TOOL_CALL", isFormal ? "open_case" : "issue_voucher", {
      input: { customer: who.id },
      output: isFormal ? { case: `C-${run.random.between(400, 990)}` } : { voucher: "SORRY-15", value: 15 },
      ms: 420,
    });
    const message = isFormal
      ? `Dear ${who.name}, you are right to complain. A colleague of the complaints team writes to you within a working day.`
      : `I am sorry, ${who.name.split(" ")[0]}. Here are 15 off your next order, and I have asked ${who.order.carrier} to use the porch.`;
    run.llm("claude: reply", {
      model: "sonnet",
      system: SUPPORT_SYSTEM,
      turns: [{ role: "user", content: ask }],
      reply: message,
      hiddenTokens: 1_400,
    });
    if (run.random.chance(0.3)) run.event("USER_FEEDBACK", "thumbs up", { score: 1, comment: "Thank you." });
    return { message };
  });
}

export const SUPPORT: Scenario[] = [
  ...SIMPLE_TASKS.map(
    (task): Scenario => ({
      name: `support-agent: ${task.task}`,
      weight: task.weight,
      tags: SUPPORT_TAGS,
      maxTurns: 4,
      version: "2.3.1",
      simulate: (run, context) => simulateTask(run, task, context),
    }),
  ),
  {
    name: "support-agent: complaint",
    weight: 5,
    tags: SUPPORT_TAGS,
    maxTurns: 5,
    version: "2.3.1",
    simulate: complaint,
  },
];
