/** Sample traces as a client sends them. */
type Fields = Record<string, unknown>;

const at = (startMs: number, seconds: number) => new Date(startMs + seconds * 1_000).toISOString();

/** A support agent that calls a refund API, gets an error, retries, and asks a human. */
export function supportRun(startMs: number, overrides: Fields = {}) {
  const span = (
    id: string,
    parentSpanId: string | null,
    [name, type]: [string, string],
    [from, to]: [number, number],
    more: Fields = {},
  ) => ({
    id,
    parentSpanId,
    name,
    type,
    status: "COMPLETED",
    startedAt: at(startMs, from),
    endedAt: at(startMs, to),
    durationMs: Math.round((to - from) * 1_000),
    ...more,
  });
  const decision = (id: string, parentSpanId: string, type: string, second: number, more: Fields) => ({
    id,
    parentSpanId,
    type,
    timestamp: at(startMs, second),
    alternatives: [],
    ...more,
  });
  const refund = { order: "A-1042", amount: 129 };
  return {
    id: "support-refund",
    name: "support-agent: refund request",
    sessionId: "sess_8f2c",
    status: "ERROR",
    tags: ["prod", "v2.3"],
    startedAt: at(startMs, 0),
    endedAt: at(startMs, 12.4),
    totalDuration: 12_400,
    metadata: { customer: "c_2291", channel: "chat" },
    spans: [
      span("root", null, ["support-agent", "AGENT"], [0, 12.4]),
      span("understand", "root", ["understand request", "CHAIN"], [0, 1.86]),
      span("classify", "understand", ["claude: classify intent", "LLM_CALL"], [0.06, 1.67], {
        costUsd: 0.0051,
        tokenCount: 2_100,
        input: {
          system: "You route customer requests.",
          messages: [{ role: "user", content: "I want my money back for order A-1042." }],
        },
        output: { role: "assistant", content: [{ type: "text", text: "intent: refund" }] },
      }),
      span("load", "root", ["load customer", "MEMORY_OP"], [1.92, 2.664], {
        output: { orders: ["A-1042", "A-0998", "A-0731"] },
      }),
      span("plan", "root", ["plan", "CHAIN"], [2.73, 3.97]),
      span("steps", "plan", ["claude: plan steps", "LLM_CALL"], [2.78, 3.9], {
        costUsd: 0.0103,
        tokenCount: 4_400,
        input: {
          messages: [
            { role: "system", content: "You plan." },
            { role: "user", content: "Refund order A-1042." },
          ],
        },
        output: { choices: [{ message: { role: "assistant", content: "1. verify 2. refund 3. confirm" } }] },
      }),
      span("sub", "root", ["refund sub-agent", "AGENT"], [4.09, 11.53]),
      span("refund", "sub", ["refund_api", "TOOL_CALL"], [4.27, 6.58], {
        status: "ERROR",
        statusMessage: "409 already refunded",
        input: refund,
        output:
          '{"error":{"code":409,"message":"already refunded","order":{"id":"A-1042","state":"refunded"}}}',
      }),
      span("again", "sub", ["refund_api", "TOOL_CALL"], [6.7, 9.18], {
        status: "ERROR",
        statusMessage: "409 already refunded",
        input: refund,
      }),
      span("read", "sub", ["claude: read error", "LLM_CALL"], [9.3, 10.79], {
        costUsd: 0.0118,
        tokenCount: 5_200,
        input: {
          messages: [
            { role: "user", content: "Refund order A-1042." },
            {
              role: "assistant",
              content: null,
              tool_calls: [
                {
                  id: "1",
                  type: "function",
                  function: { name: "refund_api", arguments: '{"order":"A-1042","amount":129}' },
                },
              ],
            },
            { role: "tool", tool_call_id: "1", content: '{"error":"409 already refunded"}' },
          ],
        },
        output: {
          choices: [
            {
              message: {
                role: "assistant",
                content: "The order was refunded before. A person should tell the customer when and how.",
              },
            },
          ],
        },
      }),
      span("human", "sub", ["ask_human", "TOOL_CALL"], [10.96, 11.506]),
      span("reply", "root", ["claude: reply", "LLM_CALL"], [11.58, 12.374], {
        costUsd: 0.0043,
        tokenCount: 2_100,
      }),
    ],
    decisionPoints: [
      decision("d1", "understand", "ROUTING", 1.74, {
        chosen: "refund",
        alternatives: ["complaint", "small talk"],
        reasoning: "The customer asks for money back and names an order.",
      }),
      decision("d2", "load", "MEMORY_RETRIEVAL", 2.6, {
        chosen: "last 3 orders",
        alternatives: ["whole history"],
        reasoning: "The order is recent.",
      }),
      decision("d3", "plan", "PLANNING", 3.92, {
        chosen: "verify, refund, confirm",
        alternatives: ["refund at once", "ask a human"],
        reasoning: "A refund above $100 needs its order verified first.",
      }),
      decision("d4", "sub", "TOOL_SELECTION", 4.1, {
        chosen: { tool: "refund_api", order: "A-1042", amount: 129 },
        alternatives: [{ tool: "ask_human" }, { tool: "lookup_policy" }],
        reasoning:
          "Customer quotes an order number, so the refund API is the direct route; a human is slower and the policy lookup was already done.",
        durationMs: 120,
        costUsd: 0.0006,
        contextSnapshot: {
          order: { id: "A-1042", state: "refunded", total: 129.0 },
          policy: "30 days, once",
          turn: 3,
        },
      }),
      decision("d5", "sub", "RETRY", 6.62, {
        chosen: "same arguments",
        alternatives: ["other arguments"],
        reasoning: "A conflict may be a race; once more costs little.",
      }),
      decision("d6", "sub", "ESCALATION", 10.85, {
        chosen: "ask_human",
        alternatives: ["tell the customer"],
        reasoning: "The refund already happened, which the customer does not seem to know.",
      }),
    ],
    events: [
      {
        id: "e1",
        spanId: "refund",
        type: "ERROR",
        name: "409 Conflict",
        timestamp: at(startMs, 6.58),
        metadata: { code: 409 },
      },
      { id: "e2", spanId: "again", type: "RETRY", name: "second attempt", timestamp: at(startMs, 6.7) },
    ],
    ...overrides,
  };
}

const TYPES = ["LLM_CALL", "TOOL_CALL", "MEMORY_OP", "CHAIN", "AGENT", "CUSTOM"];

/** A trace of nested spans, each with a payload of about `payloadBytes`. */
export function longRun(
  startMs: number,
  {
    id,
    spans,
    decisions,
    payloadBytes,
  }: { id: string; spans: number; decisions: number; payloadBytes: number },
) {
  const text = "the customer wrote again and the agent looked the order up ".repeat(200);
  const payload = (i: number) =>
    payloadBytes > 0 ? { input: { step: i, text: text.slice(0, payloadBytes) } } : {};
  const list: Fields[] = [
    {
      id: "root",
      name: "long run",
      type: "AGENT",
      status: "COMPLETED",
      startedAt: at(startMs, 0),
      endedAt: at(startMs, spans / 10),
    },
  ];
  for (let i = 1; i < spans; i++) {
    const isStep = i % 10 === 1;
    const parent = isStep
      ? "root"
      : i % 10 < 6
        ? `s${i - (i % 10) + 1 - (i % 10 === 0 ? 10 : 0)}`
        : `s${i - 1}`;
    list.push({
      id: `s${i}`,
      parentSpanId: parent,
      name: isStep ? `step ${i}` : `call ${i}`,
      type: TYPES[i % TYPES.length],
      status: i % 97 === 0 ? "ERROR" : "COMPLETED",
      startedAt: at(startMs, i / 10),
      endedAt: at(startMs, i / 10 + (isStep ? 0.9 : 0.08)),
      tokenCount: i % 3 === 0 ? i : null,
      costUsd: i % 3 === 0 ? i / 1e6 : null,
      ...payload(i),
    });
  }
  return {
    id,
    name: `long run of ${spans.toLocaleString("en")} spans`,
    status: "COMPLETED",
    tags: [],
    startedAt: at(startMs, 0),
    endedAt: at(startMs, spans / 10),
    spans: list,
    decisionPoints: Array.from({ length: decisions }, (_, i) => ({
      id: `d${i}`,
      parentSpanId: `s${Math.floor((i * spans) / decisions / 10) * 10 + 1}`,
      type: ["TOOL_SELECTION", "ROUTING", "RETRY", "PLANNING"][i % 4],
      chosen: `choice ${i}`,
      alternatives: ["another", "a third"],
      reasoning: `Because of ${i}.`,
      timestamp: at(startMs, (i * spans) / decisions / 10 + 0.2),
    })),
    events: [],
  };
}

/** A chain of nested spans. */
export const deepRun = (startMs: number, levels: number) => ({
  id: "deep-run",
  name: `${levels} levels`,
  status: "COMPLETED",
  tags: [],
  startedAt: at(startMs, 0),
  endedAt: at(startMs, levels),
  spans: Array.from({ length: levels }, (_, i) => ({
    id: `l${i}`,
    parentSpanId: i === 0 ? null : `l${i - 1}`,
    name: `level ${i + 1}`,
    type: TYPES[i % TYPES.length],
    status: "COMPLETED",
    startedAt: at(startMs, i / 2),
    endedAt: at(startMs, levels - i / 2),
  })),
  decisionPoints: [],
  events: [],
});

/** One span with an output of this many bytes. */
export const wideRun = (startMs: number, bytes: number) => ({
  id: "wide-run",
  name: "a ten megabyte output",
  status: "COMPLETED",
  tags: [],
  startedAt: at(startMs, 0),
  endedAt: at(startMs, 1),
  spans: [
    {
      id: "s",
      name: "export everything",
      type: "TOOL_CALL",
      status: "COMPLETED",
      startedAt: at(startMs, 0),
      endedAt: at(startMs, 1),
      output: {
        rows: Array.from({ length: Math.floor(bytes / 100) }, (_, i) => ({
          id: i,
          name: `customer ${i}`,
          note: "a note about this customer, as long as such notes are",
        })),
      },
    },
  ],
  decisionPoints: [],
  events: [],
});
