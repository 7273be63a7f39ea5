import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@whytrace/demo";
import { otlpAttributes, otlpNanos, otlpTraces } from "../../../../tests/support/otlp/otlp-samples.ts";
import { decision, span, trace } from "../../../../tests/support/samples/sample-traces.ts";
import type { TestResponse } from "../../../../tests/support/server/client.ts";
import { describeConnectionError, Tally, type Tenant } from "../../../../tests/support/trial.ts";

export const SCORED_AGENT = "scored agent";

/** Of each writer. */
const RUNS = 24;
/** A trace that is deleted again is scored by its own writer alone, so that it is known which scores went with it. */
const isDeletable = (run: number) => run % 4 === 0;
const isOtlp = (run: number) => run % 3 === 1;
const MAX_BATCH = 5;
const RETRY_PAUSE_MS = 25;
const GIVE_UP_MS = 120_000;
const PAGE = 100;
const LIMIT = 0.5;

const BUILT_IN = [{ kind: "status", is: "ERROR" }, { kind: "feedback" }, { kind: "evaluator" }];
const WITH_QUALITY = [
  { kind: "status", is: "ERROR" },
  { kind: "score", name: "quality", op: "below", value: LIMIT },
];

interface SentScore {
  id?: string;
  traceId: string;
  spanId?: string;
  name: "helpful" | "correct" | "quality";
  value: boolean | number;
  source: "user" | "judge";
  author: string;
  timestamp: string;
}

interface SentTrace {
  isFailed: boolean;
  /** What the trace itself says of its run; undefined if it says nothing. */
  carried?: boolean;
}

/** Sends traces and scores until they are acknowledged, and knows what has to be stored and counted then. */
export class ScoreLoad {
  readonly answers = new Tally();
  readonly #urls: readonly string[];
  readonly #tenant: Tenant;
  /** What was sent last and not deleted, by id. */
  readonly #traces = new Map<string, SentTrace>();
  readonly #scores = new Map<string, SentScore>();
  #definition = BUILT_IN;
  #acknowledged = 0;
  #sentScores = 0;
  #deleted = 0;
  #definitions = 0;

  constructor(urls: readonly string[], tenant: Tenant) {
    this.#urls = urls;
    this.#tenant = tenant;
  }

  toString(): string {
    return `${this.#sentScores} scores sent, ${this.#scores.size} to be there; ${this.#traces.size} traces to be there; ${this.#deleted} deletions; ${this.#definitions} definitions; responses ${this.answers}`;
  }

  async waitForAnswer() {
    const before = this.#acknowledged;
    const since = performance.now();
    while (this.#acknowledged < before + 3) {
      if (performance.now() - since > GIVE_UP_MS) throw new Error("no answer");
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** What one writer does. It owns its traces and the ids of its scores, and scores traces of all. */
  async write(writer: number, random: Random, isOver: () => boolean) {
    let tick = Date.now() - 3_600_000 + writer;
    let last: SentScore[] = [];
    let lastId = 0;
    const own: string[] = [];
    const newScore = (): SentScore => {
      const isOwn = random.chance(0.5);
      const owner = isOwn ? writer : random.between(0, 5);
      const run = random.between(0, RUNS - 1);
      const owned = owner === writer || !isDeletable(run) ? owner : writer;
      tick += 10;
      const known = own.length > 0 && random.chance(0.4) ? random.pick([own[0], ...own]) : undefined;
      const name = random.pick(["helpful", "correct", "quality"]);
      return {
        ...(random.chance(0.7) && { id: known ?? `score-${writer}-${++lastId}` }),
        traceId: traceId(owned, run),
        ...(random.chance(0.3) && { spanId: SPAN }),
        name,
        value: name === "quality" ? random.next() : random.chance(0.7),
        source: name === "helpful" ? "user" : "judge",
        author: `writer ${writer}`,
        // Some come late.
        timestamp: new Date(random.chance(0.2) ? tick - 5_005 : tick).toISOString(),
      };
    };
    while (!isOver()) {
      const act = random.next();
      if (act < 0.35) await this.#sendTrace(writer, random.between(0, RUNS - 1), random);
      else if (act < 0.75) {
        const batch = new Map<string, SentScore>();
        for (let left = random.between(1, MAX_BATCH); left > 0; left -= 1) {
          const score = newScore();
          batch.set(keyOf(score), score);
        }
        last = [...batch.values()];
        for (const id of await this.#sendScores(last)) if (!own.includes(id)) own.push(id);
      } else if (act < 0.8) await this.#sendScores(last);
      else if (act < 0.9) await this.#deleteScore(own.splice(random.between(0, own.length), 1)[0]);
      else if (act < 0.97) await this.#deleteTrace(traceId(writer, 4 * random.between(0, RUNS / 4 - 1)));
      else if (writer === 0) await this.#define(random.chance(0.5) ? BUILT_IN : WITH_QUALITY);
    }
  }

  async #sendTrace(writer: number, run: number, random: Random) {
    const id = traceId(writer, run);
    const isFailed = random.chance(0.2);
    if (!isOtlp(run)) {
      const startedAt = new Date(Date.now() - 1_800_000).toISOString();
      const sent = trace({
        id,
        name: SCORED_AGENT,
        status: isFailed ? "ERROR" : "COMPLETED",
        startedAt,
        spans: [span({ id: SPAN, startedAt })],
        decisionPoints: [decision({ id: `d-${id}`, chosen: "a", alternatives: ["b"], timestamp: startedAt })],
      });
      await this.#request("POST", "/api/traces", { traces: [sent] });
      this.#traces.set(id, { isFailed });
      return;
    }
    // The pieces of a trace add up, so each of them always says the same.
    if (this.#traces.has(id)) return;
    const carried = random.chance(0.5);
    const startMs = Date.now() - 1_800_000;
    const spanOf = (spanId: string, more: object) => ({
      traceId: id,
      spanId,
      startTimeUnixNano: otlpNanos(startMs),
      endTimeUnixNano: otlpNanos(startMs + 100),
      ...more,
    });
    const evaluation = {
      name: "gen_ai.evaluation.result",
      timeUnixNano: otlpNanos(startMs + 100),
      attributes: otlpAttributes({
        "gen_ai.evaluation.name": "carried",
        "gen_ai.evaluation.score.label": carried ? "pass" : "fail",
      }),
    };
    const pieces = [
      spanOf(SPAN, { parentSpanId: ROOT, name: "step", attributes: [] }),
      spanOf(ROOT, {
        name: "invoke_agent otlp",
        attributes: otlpAttributes({
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "otlp",
        }),
        events: [evaluation],
        ...(isFailed && { status: { code: 2 } }),
      }),
    ];
    for (const piece of pieces) await this.#request("POST", "/v1/traces", otlpTraces([piece]));
    this.#traces.set(id, { isFailed, carried });
  }

  async #sendScores(scores: SentScore[]): Promise<string[]> {
    if (scores.length === 0) return [];
    const { json } = await this.#request("POST", "/api/scores", { scores });
    const ids: string[] = json.ids;
    this.#sentScores += scores.length;
    for (const [index, score] of scores.entries()) {
      const id = ids[index] ?? "";
      const stored = this.#scores.get(id);
      if (!stored || stored.timestamp < score.timestamp) this.#scores.set(id, score);
    }
    return ids;
  }

  async #deleteScore(id: string | undefined) {
    if (id === undefined) return;
    await this.#request("DELETE", `/api/scores/${encodeURIComponent(id)}`);
    if (this.#scores.delete(id)) this.#deleted += 1;
  }

  async #deleteTrace(id: string) {
    if (!this.#traces.has(id)) return;
    await this.#request("DELETE", `/api/traces/${id}`);
    this.#traces.delete(id);
    this.#deleted += 1;
    for (const [scoreId, score] of this.#scores) if (score.traceId === id) this.#scores.delete(scoreId);
  }

  async #define(bad: typeof BUILT_IN) {
    for (;;) {
      const { json } = await this.#request("GET", "/api/outcomes");
      const { status } = await this.#request("PUT", "/api/outcomes", { version: json.default.version, bad });
      if (status === 200) break;
    }
    this.#definition = bad;
    this.#definitions += 1;
  }

  /** Sends a request until it is answered. It may be carried out more than once. */
  async #request(method: string, path: string, body?: object): Promise<TestResponse> {
    const since = performance.now();
    const isSent = method === "POST";
    const headers = isSent ? { authorization: `Bearer ${this.#tenant.key}` } : {};
    for (;;) {
      if (performance.now() - since > GIVE_UP_MS) throw new Error(`${method} ${path} is not answered`);
      const url = this.#urls[Math.floor(Math.random() * this.#urls.length)] ?? "";
      try {
        const answer = await this.#tenant.user
          .at(url)
          .request(method, path, { ...(body && { body }), headers });
        this.answers.add(answer.status);
        if (answer.status < 500) {
          if (answer.status >= 400 && answer.status !== 404 && answer.status !== 409)
            throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
          this.#acknowledged += 1;
          return answer;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        this.answers.add(describeConnectionError(error));
      }
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** What is stored or counted otherwise than it was sent. */
  async check(): Promise<string[]> {
    const violations: string[] = [];
    const scores = await this.#readAll("/api/scores", "scores");
    const counts = new Tally();
    for (const { id, traceId: of, name, value, spanId } of scores) {
      const isCarried = name === "carried";
      const key = isCarried ? `carried ${of}` : id;
      counts.add(key);
      const sent = this.#scores.get(id);
      const isRight = isCarried
        ? this.#traces.get(of)?.carried === value
        : sent !== undefined &&
          sent.value === value &&
          sent.traceId === of &&
          (sent.spanId ?? null) === spanId;
      if (!isRight) violations.push(`score ${key}: ${of} ${name} ${value}, sent ${JSON.stringify(sent)}`);
    }
    const carried = [...this.#traces].flatMap(([id, sent]) =>
      sent.carried === undefined ? [] : `carried ${id}`,
    );
    for (const key of [...this.#scores.keys(), ...carried])
      if (counts.count(key) !== 1) violations.push(`score ${key} is there ${counts.count(key)} times`);
    const bad = { all: 0, ofAgent: 0 };
    let ofAgent = 0;
    const stored = await this.#readAll("/api/traces?include=outcome", "traces");
    const isStored = new Set(stored.map(({ id }) => id));
    for (const id of this.#traces.keys()) if (!isStored.has(id)) violations.push(`trace ${id} is lost`);
    for (const { id, outcome } of stored) {
      const sent = this.#traces.get(id);
      const want = sent && (this.#isBad(id, sent) ? "bad" : "good");
      if (want === "bad") bad.all += 1;
      if (sent && sent.carried === undefined) {
        ofAgent += 1;
        if (want === "bad") bad.ofAgent += 1;
      }
      if (outcome !== want) violations.push(`trace ${id}: ${outcome}, should be ${want}`);
    }
    const { total } = (await this.#request("GET", "/api/traces?outcome=bad&limit=1")).json;
    if (total !== bad.all) violations.push(`the list counts ${total} bad runs, should be ${bad.all}`);
    const agent = encodeURIComponent(SCORED_AGENT);
    const why = (await this.#request("GET", `/api/insights/decisions?agent=${agent}`)).json;
    if (why.runs !== ofAgent || why.failedRuns !== bad.ofAgent)
      violations.push(`Why counts ${why.failedRuns} of ${why.runs}, should be ${bad.ofAgent} of ${ofAgent}`);
    return violations;
  }

  /** By the definitions, plainly. */
  #isBad(id: string, { isFailed, carried }: SentTrace): boolean {
    if (isFailed) return true;
    const own = [...this.#scores.values()].filter((score) => score.traceId === id);
    const latest = new Map<string, SentScore>();
    for (const score of own) {
      const key = keyOf({ ...score, id: undefined });
      const known = latest.get(key);
      if (!known || known.timestamp < score.timestamp) latest.set(key, score);
    }
    const places = Map.groupBy(latest.values(), ({ spanId, name }) => `${spanId} ${name}`);
    const isByQuality = this.#definition === WITH_QUALITY;
    if (!isByQuality && carried === false) return true;
    return [...places.values()].some((scores) => {
      const name = scores[0]?.name;
      if (name === "quality") return isByQuality && mean(scores) < LIMIT;
      if (isByQuality) return false;
      return name === "helpful" ? mean(scores) < 1 : mean(scores) < 0.5;
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of several lists
  async #readAll(path: string, key: string): Promise<any[]> {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const rows: any[] = [];
    for (let page = 1; ; page += 1) {
      const mark = path.includes("?") ? "&" : "?";
      const { json } = await this.#request("GET", `${path}${mark}limit=${PAGE}&page=${page}`);
      rows.push(...json[key]);
      if (page >= json.totalPages) return rows;
    }
  }
}

const SPAN = "00000000000000b1";
const ROOT = "00000000000000a1";

const traceId = (writer: number, run: number) =>
  createHash("sha256").update(`${writer} ${run}`).digest("hex").slice(0, 32);

/** The same for scores that replace each other. */
const keyOf = ({
  id,
  traceId: of,
  spanId,
  name,
  source,
  author,
}: Omit<SentScore, "id"> & { id?: string | undefined }) =>
  id ?? JSON.stringify([of, spanId, name, source, author]);

/** Of false and true as of 0 and 1. */
const mean = (scores: readonly SentScore[]) =>
  scores.reduce((sum, { value }) => sum + Number(value), 0) / scores.length;
