import type { StoredRecord } from "./newest-records.ts";

const REQUEST =
  "Hello, I ordered two pairs of running shoes (size 42) on 3 November and only one of them arrived. The parcel was open at one " +
  "side, and the invoice says 2 × 89.90 EUR. Could you send the missing pair, or refund it to the card that I paid with? My order is " +
  "KD-2024-118305, and the tracking page still says that everything was delivered to a neighbour at 14:35.";
const ANSWER =
  "I am sorry about that. I have looked at the order: the carrier weighed the parcel at 0.9 kg when it left our warehouse, so one pair " +
  "was indeed missing. I have asked for a replacement; it leaves tomorrow morning and should be with you by Thursday. You need not send " +
  "anything back. If you would rather have a refund, answer this message before 18:00 today, and I will cancel the shipment.";
const NOTE =
  "The customer asks for a replacement or a refund. Stock of item 7731-42 is 12, the replacement costs less than the refund, and the " +
  "policy allows it within 30 days. Chosen: send_replacement. Rejected: refund (the customer prefers the shoes), ask_human (not needed).";

const span = (index: number) => ({
  name: index % 2 === 0 ? "answer customer" : "get_order",
  input: {
    model: "gpt-4.1-mini",
    temperature: 0.2,
    messages: [
      { role: "system", content: "You answer questions about orders. Use the tools. Be short and friendly." },
      { role: "user", content: REQUEST },
      { role: "assistant", content: ANSWER },
      { role: "tool", content: JSON.stringify({ order: { id: index, status: "delivered", items: [7731] } }) },
    ],
  },
  output: { role: "assistant", content: ANSWER, finish_reason: "stop" },
  metadata: { region: "eu-west-1", attempt: 1, url: "https://shop.example/api/orders/118305?fields=items" },
});

const decision = {
  reasoning: NOTE,
  chosen: { name: "send_replacement", arguments: { item: "7731-42" } },
  alternatives: ["refund", "ask_human"],
  contextSnapshot: { question: REQUEST },
};

const record = (kind: StoredRecord["kind"], value: object) => ({
  kind,
  value,
  bytes: JSON.stringify(value).length,
});

/** The records of a trace of our own, on which patterns are measured where a workspace has stored too little. */
export const SAMPLE_RECORDS = [
  record("trace", {
    name: "support agent",
    tags: ["release:2024.11.1"],
    metadata: { tenant: "shop", channel: "mail" },
  }),
  ...Array.from({ length: 16 }, (_, index) => record("spans", span(index))),
  ...Array.from({ length: 4 }, () => record("decisionPoints", decision)),
];
