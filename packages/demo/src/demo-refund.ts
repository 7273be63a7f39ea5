import {
  absentFields,
  DECISION_POINT,
  type DecisionPointType,
  EVENT,
  type EventType,
  type Json,
  SPAN,
  type SpanType,
  TRACE,
} from "@whytrace/contract";
import { type Call, chat } from "./chat.ts";
import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";
import { totalsOf } from "./simulated-run.ts";

const ASK =
  "Hi, I returned the backpack from order A-1042 two weeks ago and still have no money. 129 was the price.";
const SYSTEM =
  "You are the support agent of Northwind Outfitters. Be brief and kind. Never promise what a tool has not confirmed.";
const CONFLICT = "HTTP 409 Conflict: order A-1042 was already refunded";
const REFUND = { order: "A-1042", amount: 129.0 };
const REPLY =
  "Thank you for your patience. Order A-1042 shows a refund from 11 days ago that your bank has not passed on, so I have asked a colleague to trace it. You will hear from us today.";

interface SpanDetails {
  input?: Json;
  output?: Json;
  error?: string;
  call?: Partial<Call>;
  tokens?: number;
  costUsd?: number;
}

/** One fixed run: the agent twice tries to refund an order that was already refunded, then escalates to a person. */
export function demoRefund(now: Date, seed = 1042): DemoTrace {
  const random = new Random(seed);
  const startMs = now.getTime() - 2 * 60_000 - 12_400;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const spans: DemoTrace["spans"] = [];
  const decisionPoints: DemoTrace["decisionPoints"] = [];
  const events: DemoTrace["events"] = [];
  const id = random.uuid();

  function span(
    type: SpanType,
    name: string,
    [fromMs, ms]: [number, number],
    parent: string | null,
    details: SpanDetails = {},
  ) {
    const spanId = `sp_${random.hex(16)}`;
    const simulated =
      details.call &&
      chat(random, {
        model: "sonnet",
        system: SYSTEM,
        turns: [{ role: "user", content: ASK }],
        reply: "",
        ...details.call,
      });
    spans.push({
      ...absentFields(SPAN),
      id: spanId,
      parentSpanId: parent,
      name,
      type,
      input: simulated?.input ?? details.input ?? null,
      output: details.error === undefined ? (simulated?.output ?? details.output ?? null) : null,
      tokenCount: details.tokens ?? null,
      costUsd: details.costUsd ?? null,
      durationMs: ms,
      status: details.error === undefined ? "COMPLETED" : "ERROR",
      statusMessage: details.error ?? null,
      startedAt: at(fromMs),
      endedAt: at(fromMs + ms),
      metadata: simulated ? { model: simulated.metadata.model } : null,
    });
    return spanId;
  }
  function decide(
    type: DecisionPointType,
    atMs: number,
    parent: string,
    [chosen, ...alternatives]: [Json, ...Json[]],
    rest: { reasoning: string; context: Json; durationMs: number; costUsd: number },
  ) {
    const { context, ...others } = rest;
    decisionPoints.push({
      ...absentFields(DECISION_POINT),
      id: `dp_${random.hex(12)}`,
      type,
      chosen,
      alternatives,
      contextSnapshot: context,
      parentSpanId: parent,
      timestamp: at(atMs),
      ...others,
    });
  }
  function event(type: EventType, name: string, atMs: number, spanId: string, metadata: Json) {
    events.push({
      ...absentFields(EVENT),
      id: `ev_${random.hex(12)}`,
      spanId,
      type,
      name,
      metadata,
      timestamp: at(atMs),
    });
  }

  const root = span("AGENT", "support-agent", [0, 12_400], null, {
    input: { message: ASK, customer: "cus_51f0", channel: "chat" },
    output: { message: REPLY, settled: false },
  });

  const understand = span("CHAIN", "understand request", [0, 1_860], root, {
    input: { message: ASK },
    output: { intent: "refund" },
  });
  span("LLM_CALL", "claude: classify intent", [62, 1_612], understand, {
    call: { reply: '{"intent":"refund","confidence":0.94}' },
    tokens: 2_100,
    costUsd: 0.0051,
  });
  decide("ROUTING", 1_736, understand, ["refund", "exchange", "billing"], {
    reasoning: "Names an order and a sum and asks for money back, not for another backpack.",
    context: { confidence: 0.94, language: "en" },
    durationMs: 40,
    costUsd: 0.0002,
  });

  const load = span("MEMORY_OP", "load customer", [1_922, 744], root, {
    input: { customer: "cus_51f0" },
    output: { orders: 3, plan: "plus" },
  });
  span("MEMORY_OP", "crm.get_customer", [1_930, 240], load, {
    output: { id: "cus_51f0", name: "Amara Okafor", plan: "plus" },
  });
  decide("MEMORY_RETRIEVAL", 2_604, load, ["last 3 orders", "full history"], {
    reasoning: "Question names a recent purchase; the full history costs 9k tokens more.",
    context: { ordersOnFile: 21, tokensLeft: 26_000 },
    durationMs: 30,
    costUsd: 0.0001,
  });
  span("MEMORY_OP", "orders.list", [2_180, 470], load, {
    input: { customer: "cus_51f0", limit: 3 },
    output: [{ id: "A-1042", item: "Trail 30 backpack", total: 129.0, state: "refunded" }],
  });

  decide("CUSTOM", 2_690, root, ["trust session", "send a code"], {
    reasoning: "The customer signed in on a known device.",
    context: { deviceKnown: true, sessionMinutes: 12 },
    durationMs: 20,
    costUsd: 0.0001,
  });
  const plan = span("CHAIN", "plan", [2_728, 1_240], root, { output: ["verify", "refund", "confirm"] });
  span("TOOL_CALL", "lookup_policy", [2_732, 40], plan, {
    input: { topic: "refund" },
    output: { window: "30 days, once" },
  });
  span("LLM_CALL", "claude: plan steps", [2_778, 1_116], plan, {
    call: { reply: "1. Verify that A-1042 came back.\n2. Refund 129.00.\n3. Confirm to the customer." },
    tokens: 4_400,
    costUsd: 0.0103,
  });
  decide("PLANNING", 3_972, root, ["verify, refund, confirm", "ask for proof first", "offer store credit"], {
    reasoning: "Within the 30 days and below the automatic limit: the short plan is enough.",
    context: { daysSincePurchase: 19, total: 129.0 },
    durationMs: 60,
    costUsd: 0.0004,
  });

  const verify = span("CHAIN", "verify", [3_990, 66], root, { output: { isDelivered: true } });
  decide("TOOL_SELECTION", 3_994, verify, ["read_order", "ask_customer"], {
    reasoning: "The order number is in the message.",
    context: { order: "A-1042" },
    durationMs: 10,
    costUsd: 0.0001,
  });
  span("TOOL_CALL", "read_order", [4_006, 44], verify, {
    input: { order: "A-1042" },
    output: { id: "A-1042", delivered: true },
  });
  decide("ROUTING", 4_070, root, ["refund sub-agent", "billing sub-agent"], {
    reasoning: "Money back for one order; no invoice has to change.",
    context: { order: "A-1042", total: 129.0 },
    durationMs: 10,
    costUsd: 0.0001,
  });

  const sub = span("AGENT", "refund sub-agent", [4_092, 7_440], root, {
    input: REFUND,
    output: { settled: false },
  });
  decide("MEMORY_RETRIEVAL", 4_094, sub, ["cached policy", "fetch policy"], {
    reasoning: "A copy of the policy is at hand and was valid last week.",
    context: { policy: { ageDays: 11, topic: "refund" }, tokensLeft: 19_000 },
    durationMs: 4,
    costUsd: 0.0001,
  });
  decide(
    "TOOL_SELECTION",
    4_100,
    sub,
    [{ name: "refund_api", arguments: REFUND }, "ask_human", "lookup_policy", "issue_voucher"],
    {
      reasoning:
        "Customer quotes an order number, so the refund API is the direct route; a human is slower and the policy lookup was already done.",
      context: { order: { id: "A-1042", state: "refunded", total: 129.0 }, policy: "30 days, once", turn: 3 },
      durationMs: 120,
      costUsd: 0.0006,
    },
  );
  const first = span("TOOL_CALL", "refund_api", [4_266, 2_306], sub, { input: REFUND, error: CONFLICT });
  event("ERROR", "409 already refunded", 6_572, first, { attempt: 1 });
  span("LLM_CALL", "claude: draft reply ahead", [4_300, 1_900], sub, {
    call: { reply: "I have refunded 129.00 for A-1042. It reaches your card within 3 to 5 days." },
    tokens: 4_400,
    costUsd: 0.0103,
  });
  decide("RETRY", 6_622, sub, ["same arguments", "give up"], {
    reasoning: "409 may be transient while the ledger settles.",
    context: { attempt: 1, error: "409 already refunded" },
    durationMs: 70,
    costUsd: 0.0003,
  });
  event("RETRY", "refund_api again", 6_690, first, { attempt: 2 });
  const second = span("TOOL_CALL", "refund_api", [6_696, 2_480], sub, { input: REFUND, error: CONFLICT });
  event("ERROR", "409 already refunded", 9_176, second, { attempt: 2 });
  span("LLM_CALL", "claude: read error", [9_300, 1_488], sub, {
    call: {
      turns: [{ role: "user", content: `refund_api answered: ${CONFLICT}` }],
      reply:
        "The order was refunded 11 days ago. A third attempt cannot succeed; a person has to trace the payment.",
    },
    tokens: 5_200,
    costUsd: 0.0118,
  });
  decide("ESCALATION", 10_850, sub, ["ask_human", "tell the customer to wait", "retry"], {
    reasoning:
      "Two identical failures in a row; a third attempt cannot succeed because the order is already refunded.",
    context: { attempts: 2, error: "409 already refunded", onShift: true },
    durationMs: 80,
    costUsd: 0.0004,
  });
  const human = span("TOOL_CALL", "ask_human", [10_962, 546], sub, {
    input: { queue: "refunds", summary: "A-1042: refunded 11 days ago, not arrived" },
    output: { ticket: "T-20417", queue: "refunds" },
  });
  span("TOOL_CALL", "open ticket", [10_970, 310], human, { output: { ticket: "T-20417" } });
  span("TOOL_CALL", "notify #refunds", [11_286, 214], human, { output: { delivered: true } });

  const reply = span("LLM_CALL", "claude: reply", [11_582, 794], root, {
    call: { reply: REPLY },
    tokens: 2_100,
    costUsd: 0.0043,
  });
  span("CUSTOM", "guardrail: tone", [12_200, 60], reply, { output: { ok: true } });
  span("CUSTOM", "guardrail: promises", [12_262, 70], reply, { output: { ok: true } });
  span("MEMORY_OP", "save transcript", [12_336, 38], reply, { output: { turns: 6 } });

  return {
    ...absentFields(TRACE),
    id,
    name: "support-agent: refund request",
    sessionId: `sess_${seed === 1042 ? "8f2c" : random.hex(4)}`,
    status: "ERROR",
    tags: ["prod", "v2.3.1"],
    metadata: { agent: "support-agent", version: "2.3.1", region: "eu-west-1" },
    ...totalsOf(spans),
    totalDuration: 12_400,
    startedAt: at(0),
    endedAt: at(12_400),
    spans,
    decisionPoints,
    events,
  };
}
