import type { MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { leastOf } from "@whytrace/testing/least-of.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { NOT_CHECKED } from "../masking/masker.ts";
import { SLOW_AT_WORST } from "./check-patterns.ts";

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

const rule = (pattern: string): Partial<MaskingRule> => ({
  name: "far ahead",
  type: "pattern",
  method: "hash",
  source: "*",
  pattern,
});
/** Takes a step of hundreds of instructions for each character, and is fast in all usual texts. */
const HARD = rule("(?i:a\\pL{0,200}b\\pL{0,200})[!?]");
const random = new Random(7);
const hardText = (length: number) => Array.from({ length }, () => (random.chance(0.5) ? "a" : "b")).join("");

/** What the thread that answers requests took for the longest turn meanwhile, without the time of other processes. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  const turn = () => {
    const before = process.threadCpuUsage();
    setImmediate(() => {
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, (user + system) / 1_000);
      if (!isDone) setTimeout(turn, 5);
    });
  };
  turn();
  await work();
  isDone = true;
  return longestMs;
}

/** As rules are that were saved before they had to be fast in hard texts. */
async function saveUnchecked(user: Sender, rules: readonly Partial<MaskingRule>[]) {
  await user.get("/api/masking");
  await sql`update masking set rules = ${JSON.stringify(rules)}::jsonb where workspace_id = ${user.workspaceId}`.execute(
    booted.db,
  );
}

describe("a pattern that is slow in texts that are hard for it", () => {
  it("is refused when it is saved, however easy the stored texts are", async () => {
    const user = await newSender(booted.client, booted.db);
    const patterns = [HARD, rule("q[^z]*z|q"), rule("(?:a|b)*a(?:a|b){200}[cd]")];
    for (const hard of patterns) {
      const refused = await user.put("/api/masking", {
        version: 1,
        level: "secrets",
        rules: [rule("ORD-\\d{6}"), hard],
      });
      expect([refused.status, refused.json]).toEqual([400, { error: `Rule 2: ${SLOW_AT_WORST}` }]);
    }
    const fast = ["\\b[A-Z]{2}\\d{7}\\b", "\\w+@\\w+\\.\\w+", "(?i)customer[ _-]?id[:= ]+\\w+"].map(rule);
    expectStatus(await user.put("/api/masking", { version: 1, level: "secrets", rules: fast }), 200);
  });

  it("keeps no request waiting while it is tried, and the answer names its rule", async () => {
    const user = await newSender(booted.client, booted.db);
    const body = { text: hardText(48_000), level: "secrets", rules: [HARD] };
    const answers = async () => {
      for (const { status, json } of await Promise.all(
        [1, 2, 3].map(() => user.post("/api/masking/test", body)),
      ))
        expect([status, json]).toEqual([
          400,
          { error: 'The pattern of the rule "far ahead" takes too long for this text' },
        ]);
    };
    expect(await leastOf(100, () => longestTurnMs(answers))).toBeLessThan(100);
  });

  it("is told from one whose tokens make a text too long", async () => {
    const user = await newSender(booted.client, booted.db);
    const rules = [{ ...rule("a"), name: "letters", method: "replace", text: "x".repeat(100) }];
    const { status, json } = await user.post("/api/masking/test", { text: "a bbb".repeat(12_000), rules });
    expect([status, json]).toEqual([
      400,
      { error: 'The tokens of the rule "letters" make this text too long' },
    ]);
  });

  it("keeps no request waiting while traces are stored, and what it was not matched in is not stored", async () => {
    const user = await newSender(booted.client, booted.db);
    await saveUnchecked(user, [HARD]);
    const inputs = Array.from({ length: 12 }, () => hardText(48_000));
    const sent = trace({ spans: inputs.map((input) => span({ input })) });
    const send = async (round: number) => {
      for (let part = 0; part < 12; part += 4)
        expectStatus(
          await user.send([
            { ...sent, id: `${sent.id}-${round}-${part}`, spans: sent.spans.slice(part, part + 4) },
          ]),
          200,
        );
    };
    expect(await leastOf(100, (round) => longestTurnMs(() => send(round)))).toBeLessThan(100);
    const stored = (await user.get(`/api/traces/${sent.id}-0-8`)).json;
    expect(stored.spans.map(({ input }: { input: string }) => input)).toContain(NOT_CHECKED);
  });
});
