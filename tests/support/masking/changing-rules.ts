import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { otlpId, otlpSpan, spansRequest } from "../otlp/sample-otlp.ts";
import { decision, event, span, trace } from "../samples/sample-traces.ts";
import { expectStatus } from "../server/client.ts";
import { select, Tally, type Tenant } from "../trial.ts";

const WRITERS = 4;
const MAX_PAUSE_MS = 200;
const RESENT_SHARE = 0.2;
const MAX_REFUSALS = 5;
const ORDER = "ORD-123456";
const PLACES_OF_POSTED = 8;
const PLACES_OF_OTLP = 3;

interface SentTrace {
  isOtlp: boolean;
  /** The version of the last change that was answered when the trace was sent last. */
  afterVersion: number;
}

/** Writes traces by both doors over several servers while the rules change, and looks whether each was masked by rules that were in force. */
export class ChangingRules {
  readonly violations = new Tally<string>();
  #refusedCount = 0;
  readonly #urls: readonly string[];
  readonly #databaseUrl: string;
  readonly #tenant: Tenant;
  readonly #sent = new Map<string, SentTrace>();
  /** By version: how many traces were masked by older ones when the change was answered. */
  readonly #olderAt = new Map<number, number>();
  #lastVersion = 1;
  #isOver = false;

  constructor(urls: readonly string[], databaseUrl: string, tenant: Tenant) {
    this.#urls = urls;
    this.#databaseUrl = databaseUrl;
    this.#tenant = tenant;
  }

  async run(changes: number): Promise<void> {
    await this.#change();
    const writers = Array.from({ length: WRITERS }, () => this.#write());
    for (let change = 1; change < changes; change += 1) {
      await sleep(randomInt(MAX_PAUSE_MS));
      await this.#change();
    }
    this.#isOver = true;
    await Promise.all(writers);
    await this.#check();
  }

  /** Each version has a text of its own, so what is stored tells by which one it was masked. */
  async #change(): Promise<void> {
    const { user } = this.#tenant;
    const { version } = expectStatus(await user.get("/api/masking"), 200).json;
    const rule = { name: "order", type: "pattern", pattern: "ORD-\\d{6}", source: "*", method: "replace" };
    const rules = [{ ...rule, text: tokenOf(version + 1) }];
    const response = await fetch(`${this.#anyUrl()}/api/masking`, {
      method: "PUT",
      headers: { "content-type": "application/json", cookie: user.cookie ?? "" },
      body: JSON.stringify({ version, level: "personal", rules }),
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    this.#lastVersion = version + 1;
    this.#olderAt.set(version + 1, await this.#countOlder(version + 1));
  }

  #anyUrl(): string {
    return this.#urls[randomInt(this.#urls.length)] ?? "";
  }

  async #countOlder(version: number): Promise<number> {
    const [row] = await select<{ count: string }>(
      this.#databaseUrl,
      `select count(*) as count from traces where workspace_id = '${this.#tenant.user.workspaceId}' and masking_version < ${version}`,
    );
    return Number(row?.count);
  }

  async #write(): Promise<void> {
    const posted: string[] = [];
    while (!this.#isOver) {
      const isOtlp = Math.random() < 0.5;
      const again =
        !isOtlp && Math.random() < RESENT_SHARE ? posted[randomInt(posted.length + 1)] : undefined;
      const id = again ?? (isOtlp ? otlpId(16) : randomUUID());
      if (!isOtlp && !again) posted.push(id);
      const afterVersion = this.#lastVersion;
      const { status, text } = await this.#sendUntilTaken(
        isOtlp ? "/v1/traces" : "/api/traces",
        isOtlp ? otlpOrder(id) : postedOrder(id),
      );
      if (status !== 200) this.violations.add(`a trace got ${status}: ${text}`);
      else this.#sent.set(id, { isOtlp, afterVersion });
    }
  }

  /** A server with too much to do says when to come back. Clients do, and so does this. */
  async #sendUntilTaken(path: string, body: object) {
    for (let refusals = 0; ; refusals += 1) {
      const response = await this.#send(path, body);
      if (response.status !== 503 || !response.retryAfterSeconds || refusals === MAX_REFUSALS)
        return response;
      this.#refusedCount += 1;
      await sleep(response.retryAfterSeconds * 1_000);
    }
  }

  async #send(path: string, body: object) {
    const response = await fetch(this.#anyUrl() + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#tenant.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const retryAfterSeconds = Number(response.headers.get("retry-after"));
    return { status: response.status, retryAfterSeconds, text: await response.text() };
  }

  async #check(): Promise<void> {
    const rows = await select<{ id: string; version: string }>(
      this.#databaseUrl,
      `select id, masking_version as version from traces where workspace_id = '${this.#tenant.user.workspaceId}'`,
    );
    const versions = new Map(rows.map(({ id, version }) => [id, Number(version)]));
    for (const [id, { isOtlp, afterVersion }] of this.#sent) {
      const version = versions.get(id) ?? 0;
      if (version < afterVersion)
        this.violations.add("a trace is older than the last change before it was sent");
      const { text } = expectStatus(await this.#tenant.user.get(`/api/traces/${id}`), 200);
      const tokens = text.match(/\[v\d+\]/g) ?? [];
      if (text.includes(ORDER)) this.violations.add("a value was not masked");
      if (tokens.length < (isOtlp ? PLACES_OF_OTLP : PLACES_OF_POSTED))
        this.violations.add(`${tokens.length} of the values of a trace were masked`);
      if (tokens.some((token) => token !== tokenOf(version)))
        this.violations.add("a trace is not what its version says");
    }
    for (const [version, before] of this.#olderAt)
      if ((await this.#countOlder(version)) > before)
        this.violations.add("a trace was stored after newer rules were in force");
  }

  toString(): string {
    const otlp = [...this.#sent.values()].filter(({ isOtlp }) => isOtlp).length;
    return `${this.#olderAt.size} changes of the rules, ${this.#sent.size} traces, ${otlp} by OTLP; sent again because of 503: ${this.#refusedCount}; violations ${this.violations}`;
  }
}

const tokenOf = (version: number) => `[v${version}]`;

const postedOrder = (id: string) => ({
  traces: [
    trace({
      id,
      name: ORDER,
      tags: ["a"],
      metadata: { ORDER },
      spans: [span({ name: ORDER, input: ORDER, output: { ORDER }, statusMessage: ORDER, status: "ERROR" })],
      decisionPoints: [decision({ reasoning: ORDER })],
      events: [event({ metadata: { ORDER } })],
    }),
  ],
});

const otlpOrder = (id: string) =>
  spansRequest([
    otlpSpan(id, { "input.value": ORDER, "app.order": ORDER }, { name: ORDER, parentSpanId: "" }),
  ]);
