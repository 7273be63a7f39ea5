// Sends bodies of 10 MiB that are full of the beginnings of what masking looks for, at the level personal. Passes if the server needs
// for none of them more than three times the CPU time of a body of prose of the same size.
import { randomUUID } from "node:crypto";
import { Random } from "@whytrace/demo";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { processCpuMs } from "../../bench/measure/cpu-time.ts";
import { batchWith } from "../support/hostile-bodies.ts";
import { postRaw } from "../support/raw-request.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const BODY_BYTES = 10 * 1_024 * 1_024 - 1_000;
const MAX_RATIO = 3;
/** As they stand in the JSON of a string. */
const UNITS = {
  "@": "@",
  digits: "4",
  "groups of digits": "4111 ",
  backslashes: "\\\\",
  "escaped signs": "\\u0040",
  eyJ: "eyJ",
  "-eyJ": "-eyJ",
  "[": "[",
  '{"a":': '{\\"a\\":',
  "a@a.": "a@a.",
  "+1": "+1",
  "://a:b": "://a:b",
  "DE89 ": "DE89 ",
  "1.1.": "1.1.",
  "sk-": "sk-",
  "Bearer ": "Bearer ",
  '"password":': '\\"password\\":',
};
const WORDS = [
  "the",
  "agent",
  "looked",
  "for",
  "an",
  "order",
  "and",
  "answered",
  "that",
  "it",
  "was",
  "sent",
] as const;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
  const { version } = expectStatus(await user.get("/api/masking"), 200).json;
  expectStatus(await user.put("/api/masking", { version, level: "personal", rules: [] }), 200);

  /** The least CPU time of several rounds. */
  const measure = async (text: string): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = batchWith(randomUUID(), ["span", "input"], `"${text}"`);
      const before = processCpuMs(server.child.pid ?? 0);
      const response = await postRaw(server.url, key, { body });
      if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
      least = Math.min(least, processCpuMs(server.child.pid ?? 0) - before);
    }
    return least;
  };

  const prose = proseOf(new Random(1));
  // Compiles the code paths.
  await measure(prose);
  const plainMs = await measure(prose);
  console.log(`prose: ${plainMs.toFixed(0)} ms`);
  let worst = 0;
  for (const [name, unit] of Object.entries(UNITS)) {
    const ms = await measure(unit.repeat(Math.floor(BODY_BYTES / unit.length)));
    worst = Math.max(worst, ms / plainMs);
    console.log(`${name.padEnd(18)} ${ms.toFixed(0)} ms, ${(ms / plainMs).toFixed(2)} times`);
  }
  console.log(`the worst: ${worst.toFixed(2)} times`);
  return worst <= MAX_RATIO;
});

function proseOf(random: Random): string {
  const words: string[] = [];
  for (let length = 0; length < BODY_BYTES - 10; ) {
    const word = random.pick(WORDS);
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ");
}
