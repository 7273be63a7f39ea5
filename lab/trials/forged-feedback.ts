// Attacks the votes of web pages: forged, changed, expired and foreign tokens, votes that are replayed, and a flood with a valid token.
// Passes if no forged token is accepted, a token sets one score however often it is used and at most 30 times an hour, no vote reaches a
// trace of another workspace. Also prints the p99 of another user's requests before and during the attack.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { feedbackSecret, mintFeedbackToken } from "@whytrace/contract";
import { percentile } from "@whytrace/testing/percentile.ts";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  Tally,
} from "@whytrace/testing/trial.ts";

const { values } = parseArgs({
  options: { forged: { type: "string", default: "100000" }, flood: { type: "string", default: "2000" } },
});
const FORGED = Number(values.forged);
const FLOOD = Number(values.flood);
const ATTACKERS = 16;
/** The default of RATE_LIMIT_FEEDBACK: votes of a token in an hour. */
const VOTES_PER_HOUR = 30;
const PROBES = 300;

const secretOf = (key: string) => feedbackSecret(createHash("sha256").update(key).digest());
const nowSeconds = () => Math.floor(Date.now() / 1_000);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url, { RATE_LIMIT_FEEDBACK: "" });
  onCleanup(() => killServer(server));
  const victim = await newTenant(server.url, database.url, LARGE_PLAN);
  const attacker = await newTenant(server.url, database.url, LARGE_PLAN);
  const revoked = expectStatus(await victim.user.post("/api/keys", { name: "revoked" }), 201).json;
  const run = trace({ startedAt: new Date().toISOString() });
  expectStatus(await post(server.url, victim.key, run), 200);
  const grant = (key: string, expiresAtSeconds = nowSeconds() + 3_600, traceId: string = run.id) =>
    mintFeedbackToken(secretOf(key), { traceId, name: "helpful", max: 0, author: "", expiresAtSeconds });
  const genuine = grant(victim.key);
  const ofRevoked = grant(revoked.key);
  expectStatus(await victim.user.delete(`/api/keys/${revoked.id}`), 200);

  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const other = (letter: string | undefined) => {
    for (;;) {
      const drawn = alphabet[randomInt(64)] ?? "A";
      if (drawn !== letter) return drawn;
    }
  };
  const changed = (token: string, at: number) => token.slice(0, at) + other(token[at]) + token.slice(at + 1);
  // The last letter of base64url has bits that mean nothing; a letter before it always means something.
  const forge: (() => string)[] = [
    () => changed(genuine, randomInt(genuine.length - 2)),
    () => genuine.slice(0, randomInt(1, genuine.length - 1)),
    () => genuine.slice(0, genuine.length / 2) + grant(attacker.key).slice(genuine.length / 2),
    () => grant(victim.key, nowSeconds() - randomInt(1, 100_000)),
    () => grant(`${victim.key.slice(0, -6)}${randomBytes(3).toString("hex")}`),
    () => randomBytes(randomInt(1, 150)).toString("base64url"),
    () => ofRevoked,
  ];
  const answers = new Tally();
  const vote = async (token: string) => {
    const response = await fetch(`${server.url}/api/feedback`, {
      method: "POST",
      body: JSON.stringify({ token, value: true }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const scoresOf = async (user: SignedInUser) => expectStatus(await user.get("/api/scores"), 200).json.scores;
  const probe = async (isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver() || times.length < PROBES / 3) {
      const startedAt = performance.now();
      expectStatus(await victim.user.get("/api/auth/session"), 200);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  let probes = 0;
  const before = await probe(() => ++probes > PROBES);

  let sent = 0;
  let isOver = false;
  const during = probe(() => isOver);
  await Promise.all(
    Array.from({ length: ATTACKERS }, async () => {
      while (sent < FORGED) {
        const make = forge[sent % forge.length] ?? forge[0];
        sent += 1;
        if (make) answers.add(await vote(make()));
      }
    }),
  );
  isOver = true;
  const [p99Before, p99During] = [percentile(before, 0.99), percentile(await during, 0.99)];
  const afterForged = (await scoresOf(victim.user)).length;
  console.log(
    `${sent} forged tokens: responses ${answers}, ${afterForged} scores; p99 of others ${p99Before.toFixed(1)} → ${p99During.toFixed(1)} ms`,
  );

  // The attacker's own key names the victim's trace.
  const foreign = await vote(grant(attacker.key));
  const afterForeign = (await scoresOf(victim.user)).length;
  const flood = new Tally();
  let flooded = 0;
  await Promise.all(
    Array.from({ length: ATTACKERS }, async () => {
      while (flooded < FLOOD) {
        flooded += 1;
        flood.add(await vote(genuine));
      }
    }),
  );
  const afterFlood = (await scoresOf(victim.user)).length;
  console.log(
    `another workspace's key: ${foreign}, ${afterForeign} scores; ${flooded} votes with one token: responses ${flood}, ${afterFlood} score`,
  );
  return (
    answers.isOnly(400, 401) &&
    afterForged === 0 &&
    afterForeign === 0 &&
    flood.count(200) === VOTES_PER_HOUR &&
    flood.isOnly(200, 429) &&
    afterFlood === 1
  );
});

async function post(url: string, key: string, run: object) {
  const { status, text } = await postBatch(url, key, JSON.stringify({ traces: [run] }));
  return { status, text, headers: new Headers(), json: undefined };
}
