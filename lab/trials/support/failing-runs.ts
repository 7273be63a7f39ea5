import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describeConnectionError, Tally, type Tenant } from "@whytrace/testing/trial.ts";
import { SignedInUser, type TestResponse } from "../../../tests/support/server/client.ts";

const RETRY_PAUSE_MS = 50;
/** Longer than any outage in a trial, also on a busy machine. */
const GIVE_UP_MS = 240_000;
/** So that a channel gets about 30 events a minute, half of what it takes. */
const ROUND_PAUSE_MS = 2_500;

export interface AnnouncingTenant extends Tenant {
  channels: { path: string; id: string }[];
  ruleId: string;
}

interface FailingIssue {
  number: number;
  regressions: number;
}

/**
 * Lets runs of tenants fail, each time with a new error, resolves the issue that follows, and lets it regress. Every request is repeated
 * until it succeeds, on any of the servers.
 */
export class FailingRuns {
  readonly responses = new Tally();
  /** Broken invariants: must stay empty. */
  readonly violations = new Tally<string>();
  readonly #urls: readonly string[];
  readonly #issues = new Map<SignedInUser, FailingIssue[]>();
  readonly #loops: Promise<void>[];
  #progress = 0;
  #isOver = false;

  constructor(urls: readonly string[], tenants: readonly AnnouncingTenant[]) {
    this.#urls = urls;
    this.#loops = tenants.map((tenant) =>
      this.#fail(tenant).catch((error: unknown) => {
        this.violations.add(error instanceof Error ? error.message : String(error));
      }),
    );
  }

  issuesOf = (user: SignedInUser): readonly FailingIssue[] => this.#issues.get(user) ?? [];

  async waitForProgress(): Promise<void> {
    const before = this.#progress;
    for (const deadline = performance.now() + GIVE_UP_MS; this.#progress === before; await sleep(5))
      if (performance.now() > deadline) throw new Error(`no progress: ${this.responses}`);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #fail(tenant: AnnouncingTenant) {
    const issues: FailingIssue[] = [];
    this.#issues.set(tenant.user, issues);
    while (!this.#isOver) {
      // Letters only: digits of a message are masked.
      const word = Array.from({ length: 12 }, () => "abcdefghijklmnop"[randomInt(16)]).join("");
      await this.#sendRun(tenant, word, -1_000);
      const issue: FailingIssue = { number: await this.#findIssue(tenant, word), regressions: 0 };
      issues.push(issue);
      for (let round = randomInt(3); round > 0 && !this.#isOver; round -= 1) {
        await sleep(ROUND_PAUSE_MS);
        await this.#until(tenant, issue.number, "resolved", () =>
          this.#request(tenant.user, "POST", `/api/issues/${issue.number}/resolve`, { in: "now" }),
        );
        issue.regressions += 1;
        await this.#sendRun(tenant, word, 500);
        await this.#until(tenant, issue.number, "regressed");
      }
      await sleep(ROUND_PAUSE_MS);
    }
  }

  async #sendRun({ user, key }: AnnouncingTenant, word: string, startMs: number) {
    const startedAt = new Date(Date.now() + startMs).toISOString();
    const span = {
      id: "s",
      name: "call",
      type: "TOOL_CALL",
      status: "ERROR",
      startedAt,
      statusMessage: `failed at ${word}`,
    };
    const run = {
      id: randomUUID(),
      name: "trial agent",
      status: "ERROR",
      tags: [],
      startedAt,
      endedAt: startedAt,
      totalCost: 0.01,
      spans: [span],
      decisionPoints: [],
      events: [],
    };
    const headers = { authorization: `Bearer ${key}` };
    await this.#repeat(
      `a run of ${user.workspaceId} was not taken`,
      () => this.#request(user, "POST", "/api/traces", { traces: [run] }, headers),
      (response) => response.status === 200 || undefined,
    );
    this.#progress += 1;
  }

  #findIssue({ user }: AnnouncingTenant, word: string): Promise<number> {
    return this.#repeat(
      `no issue of ${user.workspaceId} with ${word}`,
      () => this.#request(user, "GET", `/api/issues?state=all&search=${word}`),
      ({ status, json }) => (status === 200 ? json.issues[0]?.number : undefined),
    );
  }

  /** Waits until an issue is in a state, and acts as long as it is not. */
  async #until(
    { user }: AnnouncingTenant,
    number: number,
    state: string,
    act?: () => Promise<TestResponse | undefined>,
  ) {
    await this.#repeat(
      `issue ${number} of ${user.workspaceId} is not ${state}`,
      async () => {
        const found = await this.#request(user, "GET", `/api/issues/${number}`);
        if (found?.status === 200 && found.json.state !== state) await act?.();
        return found;
      },
      ({ status, json }) => (status === 200 && json.state === state) || undefined,
    );
    this.#progress += 1;
  }

  async #repeat<T>(
    failure: string,
    ask: () => Promise<TestResponse | undefined>,
    read: (response: TestResponse) => T | undefined,
  ): Promise<T> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; ) {
      const response = await ask();
      const found = response && read(response);
      if (found !== undefined) return found;
      await sleep(RETRY_PAUSE_MS);
    }
    throw new Error(failure);
  }

  async #request(
    user: SignedInUser,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse | undefined> {
    const { cookie, email, userId, workspaceId } = user;
    const url = this.#urls[randomInt(this.#urls.length)] ?? "";
    const client = new SignedInUser(url, cookie, { email, userId, workspaceId });
    const response = await client.request(method, path, { body, headers }).catch(describeConnectionError);
    this.responses.add(typeof response === "string" ? response : response.status);
    return typeof response === "string" ? undefined : response;
  }

  toString(): string {
    const all = [...this.#issues.values()].flat();
    const regressions = all.reduce((sum, one) => sum + one.regressions, 0);
    return `${all.length} issues, ${regressions} regressions; responses ${this.responses}`;
  }
}
