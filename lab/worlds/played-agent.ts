import { randomBytes } from "node:crypto";
import type { Blame, FindingItem, Findings } from "@whytrace/contract";
import { expectStatus } from "../../tests/support/server/client.ts";
import type { Tenant } from "../../tests/support/trial.ts";
import { postRaw } from "../trials/support/raw-request.ts";
import type { DrawnAgent } from "./draw-agent.ts";
import { otlpRun } from "./otlp-run.ts";
import { postedRun } from "./posted-run.ts";
import type { Claim, World, WorldRun } from "./world.ts";
import type { FirstSuspect } from "./world-score.ts";
import { WORLD_DAYS } from "./world-time.ts";

/** How runs reach the server: by OpenTelemetry, without or with the definitions of tools, or as decisions of a program. */
export const DOORS = ["otlp", "definitions", "sdk"] as const;
export type Door = (typeof DOORS)[number];

type Lens = NonNullable<World["lens"]>;

const RUNS_PER_REQUEST = 25;
const DAY_MS = 24 * 3_600_000;
const RANGE_MS = WORLD_DAYS * DAY_MS;
/** Runs have ended a while ago. */
const AGE_MS = 2 * 3_600_000;

/** An agent whose runs are sent to a server, and what the server says about them. */
export class PlayedAgent {
  readonly name: string;
  readonly #tenant: Tenant;
  readonly #drawn: DrawnAgent;
  readonly #door: Door;
  readonly #startedAtMs: number;
  readonly #idPrefix = randomBytes(10).toString("hex");

  constructor(tenant: Tenant, drawn: DrawnAgent, door: Door, name: string) {
    this.#tenant = tenant;
    this.#drawn = drawn;
    this.#door = door;
    this.name = name;
    this.#startedAtMs = mondayBefore(Date.now() - RANGE_MS - AGE_MS);
  }

  async send(): Promise<void> {
    const { runs } = this.#drawn;
    for (let first = 0; first < runs.length; first += RUNS_PER_REQUEST) {
      const indexes = runs.slice(first, first + RUNS_PER_REQUEST).map((_, offset) => first + offset);
      const { status, text } = await postRaw(this.#tenant.user.url, this.#tenant.key, this.#request(indexes));
      if (status !== 200 || text.includes("partialSuccess")) throw new Error(`${status} ${text}`);
    }
  }

  /** What is recorded about the cases is compared, as by a user who named the key. */
  async nameSituation(): Promise<void> {
    if (this.#drawn.runs.every(({ situation }) => situation === null)) return;
    const path = `/api/insights/situation-keys?agent=${encodeURIComponent(this.name)}`;
    expectStatus(await this.#tenant.user.put(path, { keys: ["case.kind"] }), 200);
  }

  /** What the list of all runs claims, and what it leaves undecided. A range of its own is not watched. */
  async readClaims(lens: Lens): Promise<{ claims: Claim[]; undecided: Claim[] }> {
    const range = { from: new Date(this.#startedAtMs - 1_000), to: new Date() };
    const query = new URLSearchParams({
      agent: this.name,
      lens,
      from: range.from.toISOString(),
      to: range.to.toISOString(),
    });
    for (;;) {
      const path = `/api/insights/findings?${query}`;
      const list: Findings = expectStatus(await this.#tenant.user.get(path), 200).json;
      if (list.progress) continue;
      const claimsOf = (group: FindingItem["group"]) =>
        list.rows
          .filter((row) => row.group === group)
          .map(({ kind, option }): Claim => `${kind === "chose" ? "chose" : "left out"} ${option}`);
      return { claims: claimsOf("worse"), undecided: claimsOf("undecided") };
    }
  }

  /** The first suspect of a bad run; undefined if the server has none. */
  async readFirstSuspect(index: number): Promise<FirstSuspect | undefined> {
    const response = await this.#tenant.user.get(`/api/insights/blame/${this.#traceId(index)}`);
    if (response.status === 404) return undefined;
    const { suspects }: Blame = expectStatus(response, 200).json;
    const [first] = suspects;
    if (!first) return undefined;
    const claim: Claim = `${first.kind === "chose" ? "chose" : "left out"} ${first.option}`;
    return { claim, turn: first.turn ?? undefined, word: first.suspicion };
  }

  #request(indexes: number[]) {
    const { agent, runs } = this.#drawn;
    const isJudged = runs.some(({ isScoredBad }) => isScoredBad);
    const sent = indexes.flatMap((index) => {
      const run: WorldRun | undefined = runs[index];
      const values = {
        traceId: this.#traceId(index),
        agent: this.name,
        startedAtMs: this.#startOf(index),
        isJudged,
      };
      return run ? [{ run, values }] : [];
    });
    const headers = { "content-type": "application/json" };
    if (this.#door === "sdk") {
      const traces = sent.map(({ run, values }) => postedRun(run, agent, values));
      return { body: JSON.stringify({ traces }), headers };
    }
    const hasDefinitions = this.#door === "definitions";
    const resourceSpans = sent.map(({ run, values }) => otlpRun(run, agent, { ...values, hasDefinitions }));
    return { body: JSON.stringify({ resourceSpans }), headers, path: "/v1/traces" };
  }

  #startOf(index: number): number {
    const step = Math.floor(RANGE_MS / this.#drawn.runs.length);
    return this.#startedAtMs + index * step;
  }

  #traceId(index: number): string {
    return this.#idPrefix + (index + 1).toString(16).padStart(12, "0");
  }
}

/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

function mondayBefore(timeMs: number): number {
  const weekMs = 7 * DAY_MS;
  return timeMs - ((timeMs - FIRST_MONDAY_MS) % weekMs);
}
