import { expect, it } from "vitest";
import { chooseDeliveries, type DueDelivery, type SendingChannel } from "./choose-deliveries.ts";

const NOW = Date.parse("2026-11-18T00:00:00Z");
const burst = { limit: 3, windowMs: 600_000 };
const channel = (overrides: Partial<SendingChannel> = {}): SendingChannel => ({
  id: "c",
  kind: "slack",
  burstStartedAt: null,
  burstCount: 0,
  sending: 0,
  attemptsInMinute: 0,
  ...overrides,
});
const due = (id: string, overrides: Partial<DueDelivery> = {}): DueDelivery => ({
  id,
  channelId: "c",
  attempts: 0,
  isHeld: false,
  isOfIssue: true,
  isBlocked: false,
  isBlockedByAttempt: false,
  ...overrides,
});
const options = { room: 8, burst, nowMs: NOW };
const ids = (chosen: { sent: { id: string }[] }) => chosen.sent.map(({ id }) => id);

it("sends two messages to a channel at once, and none that waits for another one", () => {
  const waiting = ["a", "b", "c"].map((id) => due(id));
  expect(ids(chooseDeliveries(channel({ kind: "webhook" }), waiting, options))).toEqual(["a", "b"]);
  expect(ids(chooseDeliveries(channel({ kind: "webhook", sending: 1 }), waiting, options))).toEqual(["a"]);
  const blocked = [due("a", { isBlocked: true }), due("b")];
  expect(ids(chooseDeliveries(channel({ kind: "webhook" }), blocked, options))).toEqual(["b"]);
});

it("sends at most 60 messages a minute to a machine", () => {
  const busy = channel({ kind: "webhook", attemptsInMinute: 59 });
  expect(ids(chooseDeliveries(busy, [due("a"), due("b")], options))).toEqual(["a"]);
});

it("holds back what people would get beyond the limit of a window", () => {
  const current = channel({ burstStartedAt: new Date(NOW - 60_000).toISOString(), burstCount: 2 });
  const chosen = chooseDeliveries(current, [due("a"), due("b"), due("c")], options);
  expect([ids(chosen), chosen.held]).toEqual([["a"], ["b", "c"]]);
  expect(chosen.heldUntilMs).toBe(NOW - 60_000 + 600_000);
});

it("makes one message of what was held, when the window is over", () => {
  const over = channel({ burstStartedAt: new Date(NOW - 600_000).toISOString(), burstCount: 3 });
  const held = [
    due("a", { isHeld: true }),
    due("b", { isHeld: true, isBlocked: true }),
    due("c", { isBlocked: true, isBlockedByAttempt: true }),
    due("d"),
  ];
  const chosen = chooseDeliveries(over, held, options);
  expect(chosen.sent).toEqual([{ id: "a", members: ["b", "d"] }]);
  expect(chosen.burst).toEqual({ startedAtMs: NOW, count: 1 });
});

it("does not hold back alerts, tests and repeated attempts", () => {
  const full = channel({ burstStartedAt: new Date(NOW).toISOString(), burstCount: 3 });
  const others = [due("a", { isOfIssue: false }), due("b", { attempts: 1 })];
  expect(ids(chooseDeliveries(full, others, options))).toEqual(["a", "b"]);
});
