import { Random } from "../random.ts";
import { type Customer, randomCustomer } from "../random-customer.ts";
import type { SimulatedRun } from "../simulated-run.ts";
import type { RunContext, Scenario } from "./scenario.ts";

export const SUPPORT_TAGS = [["prod"], ["prod"], ["prod", "eu"], ["prod", "canary"]] as const;
export const SUPPORT_RELEASES = [
  { version: "2.3.1", daysAgo: 4 },
  { version: "2.3.0", daysAgo: 12 },
  { version: "2.2.4", daysAgo: 22 },
  { version: "2.2.3", daysAgo: 40 },
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
    run.decideAmong("MEMORY_RETRIEVAL", ["last 3 orders", "full history"], {
      chosen: isShort ? "last 3 orders" : "full history",
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

interface ToolChoice {
  name: string;
  share: number;
  errorRate: number;
  why: readonly [string, ...string[]];
}

interface SimpleTask {
  task: string;
  weight: number;
  intent: string;
  others: [string, string];
  ask(who: Customer): string;
  tools: readonly [ToolChoice, ...ToolChoice[]];
  neverChosen: readonly string[];
  output(who: Customer, random: Random): unknown;
  reply(who: Customer): string;
  error: string;
}

const SIMPLE_TASKS: SimpleTask[] = [
  {
    task: "where is my order",
    weight: 24,
    intent: "order_status",
    others: ["refund", "complaint"],
    ask: ({ order }) => `Where is my ${order.item}? It said Tuesday. Order ${order.id}.`,
    tools: [
      {
        name: "track_parcel",
        share: 80,
        errorRate: 0.04,
        why: [
          "The order has left the warehouse, so only the carrier knows where it is.",
          "A tracking number is on file; the order notes are older than the last scan.",
        ],
      },
      {
        name: "read_order_notes",
        share: 18,
        errorRate: 0.2,
        why: ["The warehouse writes delays into the notes before the carrier knows."],
      },
      { name: "ask_human", share: 2, errorRate: 0.05, why: ["The parcel was reported lost twice already."] },
    ],
    neverChosen: [],
    output: ({ order }, random) => ({
      carrier: order.carrier,
      lastScan: random.pick(["sorting centre", "out for delivery", "customs", "parcel shop"]),
      expected: random.pick(["today", "tomorrow", "Friday"]),
    }),
    reply: ({ order }) =>
      `Your ${order.item} is with ${order.carrier} and should be with you by tomorrow. I will write again if that changes.`,
    error: "CarrierError: tracking number not known to carrier yet",
  },
  {
    task: "change address",
    weight: 10,
    intent: "address",
    others: ["order_status", "cancel"],
    ask: ({ order, address }) => `I have moved. Please send ${order.id} to ${address}.`,
    tools: [
      {
        name: "update_shipping_address",
        share: 95,
        errorRate: 0.06,
        why: [
          "The parcel is not packed yet, so the address can still be changed in place.",
          "Same country and same carrier: no new label is needed.",
        ],
      },
      {
        name: "cancel_and_reorder",
        share: 5,
        errorRate: 0.06,
        why: ["Another country: the label cannot be changed."],
      },
    ],
    neverChosen: ["ask_human"],
    output: ({ address }) => ({ updated: true, address }),
    reply: ({ address }) => `Done: the parcel goes to ${address}.`,
    error: "ValidationError: postcode does not match the city",
  },
  {
    task: "invoice copy",
    weight: 8,
    intent: "invoice",
    others: ["order_status", "refund"],
    ask: ({ order }) => `Could you send me the invoice for ${order.id} again, with our VAT number?`,
    tools: [
      {
        name: "render_invoice",
        share: 100,
        errorRate: 0.02,
        why: ["A VAT number has to be added, which the account page cannot do."],
      },
    ],
    neverChosen: ["link_to_account_page"],
    output: ({ order }) => ({ file: `invoice-${order.id}.pdf`, pages: 1 }),
    reply: ({ email }) => `I have sent the invoice to ${email}.`,
    error: "RenderError: font subset missing for locale pl-PL",
  },
  {
    task: "cancel plan",
    weight: 6,
    intent: "cancel",
    others: ["refund", "complaint"],
    ask: () => "How do I end my Plus membership? I do not order often enough.",
    tools: [
      {
        name: "cancel_membership",
        share: 90,
        errorRate: 0.05,
        why: [
          "The wish is clear and stated once; a counter-offer was already declined in March.",
          "Rules in this country ask for cancellation without detours.",
        ],
      },
      {
        name: "offer_pause",
        share: 10,
        errorRate: 0.05,
        why: ["The customer says that it is for the winter only."],
      },
    ],
    neverChosen: ["ask_human"],
    output: () => ({ state: "ends at period end", refund: 0 }),
    reply: () => "Your membership ends with the current month. You keep its benefits until then.",
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
  const tool = run.random.weighted(task.tools.map((one) => [one, one.share] as const));
  const isFailed = run.random.chance(isIncident ? tool.errorRate * 3 : tool.errorRate);
  run.within("AGENT", "support-agent", { message: ask, customer: who.id, channel: "chat" }, () => {
    loadCustomer(run, who);
    understand(run, ask, task.intent, task.others);
    const offered = [...task.tools.map(({ name }) => name), ...task.neverChosen];
    run.decideAmong("TOOL_SELECTION", offered, {
      chosen: tool.name,
      reasoning: run.random.pick(tool.why),
      context: { order: who.order.id, state: who.order.state, plan: who.plan },
    });
    if (isFailed) {
      run.step("TOOL_CALL", tool.name, { input: { order: who.order.id }, ms: 900, error: task.error });
      run.event("ERROR", task.error.split(":")[0] ?? "error", { tool: tool.name });
      run.fail(task.error);
      return null;
    }
    run.step("TOOL_CALL", tool.name, {
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
    // The larger model costs more and fails as rarely, but users are happier with what it writes: see demo-scores.ts.
    const model = run.random.chance(0.5) ? "sonnet" : "haiku";
    run.decideAmong("CUSTOM", ["reply: haiku", "reply: sonnet"], {
      chosen: `reply: ${model}`,
      reasoning:
        model === "haiku" ? "A short confirmation with one fact." : "The customer writes long sentences.",
      context: { messageChars: ask.length, plan: who.plan },
    });
    run.llm("claude: reply", {
      model,
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
    loadCustomer(run, who);
    understand(run, ask, "complaint", ["refund", "order_status"]);
    const isFormal = run.random.chance(0.6);
    run.decideAmong("CUSTOM", ["tone: formal", "tone: friendly"], {
      chosen: isFormal ? "tone: formal" : "tone: friendly",
      reasoning: isFormal
        ? "Complaint mentions a regulator."
        : "Long-standing customer who writes informally.",
      context: { sentiment: -0.7, yearsCustomer: run.random.between(1, 9) },
    });
    run.decideAmong("ESCALATION", ["complaints team", "stay with agent"], {
      chosen: isFormal ? "complaints team" : "stay with agent",
      reasoning: isFormal
        ? "Three incidents within a month is where the complaints team takes over."
        : "A voucher within my limit settles most complaints of this kind.",
      context: { incidents: 3, voucherLimit: 25 },
    });
    if (run.random.chance(isFormal ? 0.05 : 0.12)) {
      const error = isFormal
        ? "HTTP 500: case system is not available"
        : "VoucherError: monthly limit reached";
      run.step("TOOL_CALL", isFormal ? "open_case" : "issue_voucher", {
        input: { customer: who.id },
        ms: 700,
        error,
      });
      run.fail(error);
      return null;
    }
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
      releases: SUPPORT_RELEASES,
      simulate: (run, context) => simulateTask(run, task, context),
    }),
  ),
  {
    name: "support-agent: complaint",
    weight: 5,
    tags: SUPPORT_TAGS,
    maxTurns: 5,
    releases: SUPPORT_RELEASES,
    simulate: complaint,
  },
];
