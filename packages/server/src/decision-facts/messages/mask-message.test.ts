import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { expect, it } from "vitest";
import { maskMessage } from "./mask-message.ts";
import { splitMessage } from "./split-message.ts";

it.each([
  ["order 4711 of 3f2504e0-4f89-41d3-9a0c-0305e82c3301 not found", "order # of # not found"],
  [
    "Rate limit reached for gpt-4o: Limit 30000, Used 29120. Please try again in 1.2s",
    "Rate limit reached for gpt-4o: Limit #, Used #. Please try again in # s",
  ],
  ["Please try again in 640ms", "Please try again in # s"],
  ["Please try again in 6m0s.", "Please try again in # s."],
  ["overloaded (request req_011CSHoEeqs5C35K2UUqR7Fy)", "overloaded (request req_#)"],
  ["Organization org-AbCd12EfGh34 has no quota", "Organization org-# has no quota"],
  [
    "Unexpected token 'I', \"I'm sorry, but\"... is not valid JSON",
    "Unexpected token '#', \"#\"... is not valid JSON",
  ],
  ["no mail for grace.h@example.test", "no mail for #"],
  [
    "GET https://api.shop.test/v1/orders/17?key=a&x=1 failed",
    "GET https://api.shop.test/v1/orders/#?# failed",
  ],
  ["deadline 2026-11-17T01:02:03.456Z passed", "deadline # passed"],
  ["deadline 2026-11-17 passed", "deadline # passed"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED #"],
  ["commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is defaced", "commit # is defaced"],
  ["failed at <Future at 0x7f3a2c1b9d60>", "failed at <Future at #>"],
  ["can't decode byte 0x89 in position 0", "can't decode byte # in position #"],
  ["0xZZ, a0x89 and 1920x1080", "#xZZ, a0x89 and #x#"],
  ["Tried to allocate 2.00 GiB, 512MiB are free", "Tried to allocate # B, # B are free"],
  ["read 3 KB of 12 bytes, 3 GBs", "read # B of # bytes, # GBs"],
  ["Request failed with status code 429", "Request failed with status code 429"],
  ["HTTP 503 from billing", "HTTP 503 from billing"],
  ["Error: 500 Internal", "Error: 500 Internal"],
  ["status 4290 is none", "status # is none"],
  ["model claude-sonnet-4-5 is overloaded", "model claude-sonnet-4-5 is overloaded"],
  ["model claude-3-5-sonnet-20241022", "model claude-3-5-sonnet-#"],
  ["model gpt-4.1-mini, api v2", "model gpt-4.1-mini, api v2"],
  ["run-9 of pool-1-thread-12 died on my_worker_3", "run-# of pool-#-thread-# died on my_worker_#"],
  ["run-9b, rerun-9, job-v2 and node-18.2", "run-9b, rerun-9, job-v2 and node-18.2"],
  ['tool "refund_api" called "ask_human" twice', 'tool "refund_api" called "ask_human" twice'],
  ["can't open, don't retry", "can't open, don't retry"],
  [`key "${"k".repeat(41)}" unknown`, 'key "#" unknown'],
  ["  a \n\t b\0 ", "a b"],
  ["", ""],
])("masks %j as %j", (message, masked) => {
  expect(maskMessage(message)).toBe(masked);
});

it("keeps 200 of the 400 characters that are read, and whole characters", () => {
  expect(maskMessage("word ".repeat(1_000))).toHaveLength(200);
  expect(maskMessage(`${"x".repeat(199)}😀`).isWellFormed()).toBe(true);
  expect(maskMessage(`${"x ".repeat(200)}4711`)).not.toContain("#");
});

const ATOMS = [
  ..."0a\"' ?#@-_.,:/(",
  "https://",
  "aa-",
  "12",
  "f0",
  "status ",
  " 'a",
  ' "b ',
  "a.",
  "1s",
  "a1",
  "1,",
];

/** The same numbers for the same seed, from 0 to 1. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** Messages of 400 characters: each piece and each pair of pieces repeated, and mixtures. */
function hostileMessages(): string[] {
  const random = numbers(7);
  const mixtures = Array.from({ length: 300 }, () =>
    Array.from({ length: 400 }, () => ATOMS[Math.floor(random.next().value * ATOMS.length)]).join(""),
  );
  const repeated = ATOMS.flatMap((a) => ATOMS.map((b) => (a + b).repeat(400)));
  const started = ATOMS.flatMap((a) => ["https://x", '"', "'", "1"].map((start) => start + a.repeat(400)));
  return [...mixtures, ...repeated, ...started].map((message) => message.slice(0, 400));
}

it("takes messages apart into pieces that join to what was read", () => {
  for (const message of hostileMessages())
    expect(
      splitMessage(message)
        .map(({ text }) => text)
        .join(""),
    ).toBe(message);
});

it("takes at most 1 ms of CPU for the worst message that a search finds", () => {
  const costMs = (message: string, times: number) => {
    const elapsed = startCpuStopwatch();
    for (let i = 0; i < times; i++) maskMessage(message);
    return elapsed() / times;
  };
  const messages = hostileMessages();
  for (const message of messages) costMs(message, 3);
  const slowest = messages
    .map((message) => ({ message, ms: costMs(message, 3) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 20);
  // The least of several measurements: what the collector of garbage takes does not count.
  const leastMs = slowest.map(({ message }) =>
    Math.min(...Array.from({ length: 10 }, () => costMs(message, 10))),
  );
  expect(Math.max(...leastMs)).toBeLessThan(1);
});
