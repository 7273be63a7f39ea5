import type { Random } from "@whytrace/demo";
import { otlpAttributes, otlpNanos } from "../otlp/otlp-samples.ts";
import { labelledText } from "./labelled-texts.ts";
import type { Json } from "./plain-masking.ts";
import type { PlainTrace } from "./plain-trace.ts";

const START_MS = Date.parse("2026-01-02T03:04:05.000Z");
const AT = new Date(START_MS).toISOString();
const MAX_SHORT_LENGTH = 160;
const NEIGHBOURS = ["", " ", "\n", "\\n", "\\u00e9", "(", "\u{1f600}", '"', "x", "7", "."] as const;

/** A text with values, with what only looks like them, and with neighbours that may or may not be a part of them. */
function text(random: Random): string {
  const { text: written } = labelledText(random);
  return random.chance(0.2)
    ? `${random.pick(NEIGHBOURS)}${written.trimEnd()}${random.pick(NEIGHBOURS)}`
    : written;
}

function shortText(random: Random): string {
  for (;;) {
    const short = text(random);
    if (short.length <= MAX_SHORT_LENGTH) return short;
  }
}

/** The same text in pieces, cut anywhere. */
function pieces(random: Random): string[] {
  let rest = text(random);
  const cut: string[] = [];
  while (rest !== "") {
    const length = random.between(1, 12);
    cut.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return cut.length > 1 && cut.every((piece) => piece.isWellFormed()) ? cut : ["a", "b"];
}

function payload(random: Random): Json {
  return {
    customer: { name: shortText(random), "address.city": "Berlin", no: random.between(1, 99) },
    messages: [
      { role: "user", content: text(random) },
      { role: "assistant", content: [{ type: "text", text: text(random) }] },
    ],
    arguments: JSON.stringify({
      to: text(random),
      inner: JSON.stringify({ deep: text(random), api_key: "k" }),
    }),
    [shortText(random)]: random.between(0, 9),
    db_password: random.pick(["hunter2", 7, null]),
    customerNo: random.pick(["C-1", 4_711]),
    support: text(random),
    number: random.pick([4_111_111_111_111_111, 1_763_339_999_123, 0.5]),
    notes: { a: { note: text(random) }, list: [text(random), text(random)] },
    max_tokens: 4_096,
  };
}

type PostedTrace = PlainTrace & { id: string; [field: string]: unknown };

/** A trace that is sent as JSON, as a whole. */
export function randomPostedTrace(random: Random, id: string): PostedTrace {
  const children = <Child>(min: number, max: number, make: (childId: string) => Child) =>
    Array.from({ length: random.between(min, max) }, (_, index) => make(`${index}-${id}`));
  return {
    id,
    name: shortText(random),
    status: random.pick(["COMPLETED", "ERROR"]),
    sessionId: random.chance(0.5) ? shortText(random) : null,
    tags: random.chance(0.5) ? [shortText(random), "release:1"] : [],
    metadata: random.chance(0.7) ? payload(random) : null,
    startedAt: AT,
    spans: children(1, 3, (childId) => ({
      id: childId,
      name: shortText(random),
      type: random.pick(["LLM_CALL", "TOOL_CALL"]),
      status: "ERROR",
      statusMessage: random.chance(0.5) ? text(random) : null,
      startedAt: AT,
      input: payload(random),
      output: random.chance(0.5) ? { parts: pieces(random), more: payload(random) } : text(random),
      metadata: random.chance(0.3) ? payload(random) : null,
    })),
    decisionPoints: children(0, 2, (childId) => ({
      id: childId,
      type: "TOOL_SELECTION",
      reasoning: random.chance(0.8) ? text(random) : null,
      chosen: random.chance(0.5) ? { name: shortText(random), to: text(random) } : shortText(random),
      alternatives: [shortText(random), { name: "wait", args: payload(random) }],
      contextSnapshot: random.chance(0.5) ? payload(random) : null,
      timestamp: AT,
    })),
    events: children(0, 2, (childId) => ({
      id: childId,
      type: "CUSTOM",
      name: shortText(random),
      metadata: random.chance(0.5) ? payload(random) : null,
      timestamp: AT,
    })),
  };
}

/** The spans of a trace that comes by OTLP; the first one is its root. All of them begin after the delay. */
export function randomOtlpSpans(random: Random, traceId: string, delayMs = 0): object[] {
  const startMs = START_MS + delayMs;
  const rootId = random.hex(16);
  const span = (index: number, attributes: object, others: object) => ({
    traceId,
    spanId: index === 0 ? rootId : random.hex(16),
    ...(index > 0 && { parentSpanId: rootId }),
    name: shortText(random),
    startTimeUnixNano: otlpNanos(startMs + index),
    endTimeUnixNano: otlpNanos(startMs + 100 - index),
    attributes: otlpAttributes(attributes),
    ...others,
  });
  const root = span(
    0,
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": shortText(random),
      "session.id": shortText(random),
      "customer.mail": text(random),
      "db.password": "hunter2",
    },
    random.chance(0.3) ? { status: { code: 2, message: text(random) } } : {},
  );
  const calls = Array.from({ length: random.between(1, 3) }, (_, index) =>
    span(
      index + 1,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-5.4-mini",
        "gen_ai.input.messages": JSON.stringify([
          { role: "user", parts: [{ type: "text", content: text(random) }] },
        ]),
        "gen_ai.output.messages": JSON.stringify([
          {
            role: "assistant",
            parts: [
              { type: "reasoning", content: text(random) },
              { type: "tool_call", id: "1", name: "send", arguments: { to: text(random), n: index } },
            ],
          },
        ]),
        "app.note": text(random),
        [`app ${shortText(random)}`]: true,
      },
      {
        events: [
          {
            timeUnixNano: otlpNanos(startMs + index),
            name: `note ${shortText(random)}`,
            attributes: otlpAttributes({ detail: text(random), list: [text(random), "b"] }),
          },
        ],
      },
    ),
  );
  return [root, ...calls];
}
