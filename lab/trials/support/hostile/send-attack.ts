// Sends one attack of lab/trials/masking/worst-search.ts again and again until it is killed, in a process of its own.
import { setTimeout as sleep } from "node:timers/promises";
import { Tally } from "@whytrace/testing/trial.ts";
import { batchWith } from "../hostile-bodies.ts";
import { postRaw } from "../raw-request.ts";
import { type Attack, bodyOf, rulesOf, textOf } from "./attack.ts";

export interface SentAttack {
  url: string;
  key: string;
  cookie: string;
  connections: number;
  attack: Attack;
}

/** Different ones, so that not all requests wait for the same rows. */
const BODIES = 4;
const MAX_STORED_BYTES = 500_000;

const { url, key, cookie, connections, attack }: SentAttack = JSON.parse(process.argv[2] ?? "{}");
const rules = rulesOf(attack);
const text = textOf(attack.text, attack.sizeKib * 1_024);

const ask = async (method: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method,
    headers: { cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text };
};

const versionOf = async () => JSON.parse((await ask("GET", "/api/masking")).text).version;

async function sender(): Promise<(round: number) => Promise<{ status: number }>> {
  const { door } = attack;
  if (door === "test") return () => ask("POST", "/api/masking/test", { text, level: "secrets", rules });
  if (door === "preview" || door === "rules") {
    const stored = JSON.stringify(text.slice(0, MAX_STORED_BYTES));
    for (let sent = 0; sent < BODIES; sent += 1)
      await postRaw(url, key, { body: batchWith(`stored-${sent}`, ["span", "input"], stored) });
    if (door === "preview") return () => ask("POST", "/api/masking/preview", { level: "secrets", rules });
    return async (round) => {
      const changed = rules.map((rule) => ({ ...rule, name: `hostile ${round}` }));
      return ask("PUT", "/api/masking", { version: await versionOf(), level: "secrets", rules: changed });
    };
  }
  const bodies = Array.from({ length: BODIES }, (_, index) => bodyOf(attack, `hostile-${index}-`));
  const path = door === "otlp" ? "/v1/traces" : "/api/traces";
  return (round) => postRaw(url, key, { path, ...(bodies[round % BODIES] ?? { body: "" }) });
}

const statuses = new Tally();
process.once("SIGTERM", () => process.stdout.write(String(statuses), () => process.exit()));
const send = await sender();
console.log("ready");
await Promise.all(
  Array.from({ length: connections }, async (_, connection) => {
    for (let round = connection; ; round += connections) {
      const startedAt = performance.now();
      const { status } = await send(round).catch(() => ({ status: 0 }));
      statuses.add(status);
      if (performance.now() - startedAt < 5) await sleep(5);
    }
  }),
);
