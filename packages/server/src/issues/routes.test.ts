import { randomUUID } from "node:crypto";
import type { Issue, IssueDetail, IssueList } from "@whytrace/contract/schemas/issues/issues";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";

const { client, db } = await boot({}, { pausesMs: { issues: 50 } });

type Fields = Record<string, unknown>;
const WAIT = { timeout: 30_000, interval: 50 };
const newUser = () => newSender(client, db);
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const failed = (message: string, fields: Fields = {}) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    startedAt: at(-60_000),
    spans: [span({ status: "ERROR", statusMessage: message })],
    ...fields,
  });
const send = async (user: Sender, ...traces: unknown[]) => expectStatus(await user.send(traces), 200);
const list = async (user: Sender, query = ""): Promise<IssueList> =>
  expectStatus(await user.get(`/api/issues?${query}`), 200).json;
const get = async (user: Sender, number: number): Promise<IssueDetail> =>
  expectStatus(await user.get(`/api/issues/${number}`), 200).json;
const act = async (user: Sender, number: number, action: string, body: Fields = {}): Promise<Issue> =>
  expectStatus(await user.post(`/api/issues/${number}/${action}`, body), action === "split" ? 201 : 200).json;
const issuesOf = (user: Sender, count: number) =>
  vi.waitFor(async () => {
    const { issues, total } = await list(user, "state=all&limit=100");
    expect(total).toBe(count);
    return issues;
  }, WAIT);
const until = (user: Sender, number: number, fields: Partial<IssueDetail>) =>
  vi.waitFor(async () => {
    const issue = await get(user, number);
    expect(issue).toMatchObject(fields);
    return issue;
  }, WAIT);
/** Waits until the worker has counted everything that is stored. */
const counted = ({ workspaceId }: Sender) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select from trace_totals join issue_cursors on issue_cursors.workspace_id = ${workspaceId}
      where trace_totals.workspace_id = ${workspaceId} and problems_version <= issue_cursors.version and not is_behind`.execute(
      db,
    );
    expect(rows).toHaveLength(1);
  }, WAIT);
async function oneIssue(user: Sender, message = "policy outdated", fields: Fields = {}) {
  const run = failed(message, fields);
  await send(user, run);
  const [issue] = await issuesOf(user, 1);
  return { run, number: issue?.number ?? 0 };
}
const kinds = async (user: Sender, number: number): Promise<string[]> =>
  expectStatus(await user.get(`/api/issues/${number}/timeline`), 200).json.timeline.map(
    ({ kind }: { kind: string }) => kind,
  );

describe("issues", () => {
  it("hold the runs of an agent that ended with the same error, and count what the list of traces shows", async () => {
    const user = await newUser();
    await send(
      user,
      failed("order 4711 not found", { tags: ["release:2.10"], metadata: { userId: "ada" } }),
      failed("order 23 not found", { tags: ["release:2.10"], metadata: { userId: 7 } }),
      failed("policy outdated"),
      trace({ name: "support-agent", startedAt: at(-60_000) }),
    );
    const issues = await issuesOf(user, 2);
    const order = issues.find(({ title }) => title === "order # not found");
    expect(order).toMatchObject({ runs: 2, kind: "error", agent: "support-agent", state: "new", people: 2 });
    expect(order?.share).toMatchObject({ value: 0.5, of: 4 });
    expect(order?.trend).toHaveLength(30);
    expect(order).toMatchObject({ firstRelease: "2.10", lastRelease: "2.10", problems: 1 });
    const marked = order?.trend.filter(({ release }) => release !== null);
    expect(marked).toMatchObject([{ day: new Date().toISOString().slice(0, 10), release: "2.10" }]);
    const traces = expectStatus(await user.get(`/api/traces?issue=${order?.number}`), 200).json;
    expect(traces.total).toBe(2);
  });

  it("are gone with their last run, unless a person touched them", async () => {
    const user = await newUser();
    const first = failed("one");
    const second = failed("two");
    await send(user, first, second);
    const issues = await issuesOf(user, 2);
    const numberOf = (title: string) => issues.find((issue) => issue.title === title)?.number ?? 0;
    expectStatus(await user.post(`/api/issues/${numberOf("two")}/comments`, { text: "mine" }), 201);
    for (const { id } of [first, second]) expectStatus(await user.delete(`/api/traces/${id}`), 200);
    expect((await user.get(`/api/issues/${numberOf("one")}`)).status).toBe(404);
    expect(await get(user, numberOf("two"))).toMatchObject({ title: "All runs deleted", runs: 0 });
    await counted(user);
    const { rows } = await sql<{ number: number }>`
      select number from issues where workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows).toEqual([{ number: numberOf("two") }]);
  });

  it("are sorted and filtered as asked, and the first fault of a request is named", async () => {
    const user = await newUser();
    await send(
      user,
      failed("rare"),
      failed("frequent"),
      failed("frequent"),
      failed("other", { name: "triage 4711" }),
    );
    await issuesOf(user, 3);
    const titles = async (query: string) => (await list(user, query)).issues.map(({ title }) => title);
    expect((await titles("sort=runs"))[0]).toBe("frequent");
    expect(await titles("search=RAR")).toEqual(["rare"]);
    expect(await titles("agent=triage%20%23")).toEqual(["other"]);
    expect(await titles("kind=score")).toEqual([]);
    expect(await titles("assignee=me")).toEqual([]);
    expect(await titles("limit=1&page=2&sort=newest")).toHaveLength(1);
    for (const [query, error] of [
      [
        "state=bad&sort=bad",
        "Invalid state. Must be one of: open, new, ongoing, regressed, resolved, ignored, all",
      ],
      [
        "from=2026-11-02&to=2026-11-01",
        "Invalid range. from must be before to, and both at most 90 days apart.",
      ],
      [
        "from=2026-01-01&to=2026-06-01",
        "Invalid range. from must be before to, and both at most 90 days apart.",
      ],
    ])
      expect((await user.get(`/api/issues?${query}`)).json).toEqual({ error });
  });

  it("are found by a run that they count, and only by it", async () => {
    const user = await newUser();
    const run = failed("policy outdated");
    await send(user, run, failed("out of memory"));
    await issuesOf(user, 2);
    const titles = async (traceId: string) =>
      (await list(user, `state=all&traceId=${traceId}`)).issues.map(({ title }) => title);
    expect(await titles(run.id)).toEqual(["policy outdated"]);
    expect(await titles("unknown")).toEqual([]);
  });

  it("say why runs are one: the text in common, and which parts of each message are masked", async () => {
    const user = await newUser();
    const run = failed("order 4711 not found");
    await send(user, run);
    const [issue] = await issuesOf(user, 1);
    const { problems } = expectStatus(await user.get(`/api/issues/${issue?.number}/grouping`), 200).json;
    expect(problems).toMatchObject([
      { text: "order # not found", runs: 1, agent: "support-agent", kind: "error" },
    ]);
    expect(problems[0].id).toMatch(/^[0-9a-f]{14}$/);
    expect(problems[0].examples).toMatchObject([
      {
        traceId: run.id,
        parts: [
          { text: "order ", isMasked: false },
          { text: "4711", isMasked: true },
          { text: " not found", isMasked: false },
        ],
      },
    ]);
  });
});

describe("a resolved issue", () => {
  it("has after an undo the state that it had before, and is ongoing if it is reopened", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user);
    await act(user, number, "resolve", { in: "now" });
    expect(await act(user, number, "reopen", { isUndo: true })).toMatchObject({ state: "new" });
    await act(user, number, "ignore");
    await act(user, number, "resolve", { in: "now" });
    expect(await act(user, number, "reopen", { isUndo: true })).toMatchObject({ state: "new" });
    await act(user, number, "resolve", { in: "now" });
    const late = failed("policy outdated", { startedAt: at(500) });
    await send(user, late);
    const regressed = await until(user, number, { state: "regressed" });
    await act(user, number, "ignore", { untilRuns: 10 });
    expect(await act(user, number, "reopen", { isUndo: true })).toMatchObject({
      state: "regressed",
      regression: regressed.regression,
    });
    await act(user, number, "resolve", { in: "now" });
    expect(await act(user, number, "reopen")).toMatchObject({ state: "ongoing", regression: null });
    await act(user, number, "resolve", { in: "now" });
    expect(await act(user, number, "reopen", { isUndo: true })).toMatchObject({ state: "ongoing" });
  });

  it("regresses by a run that started later, not by one that started before and arrives late", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user);
    expect(await act(user, number, "resolve", { in: "now", note: "fixed" })).toMatchObject({
      state: "resolved",
      resolution: { in: "now", note: "fixed", isPending: false },
    });
    await send(user, failed("policy outdated"));
    await until(user, number, { runs: 2 });
    await counted(user);
    expect(await get(user, number)).toMatchObject({ state: "resolved" });
    const late = failed("policy outdated", { startedAt: at(500) });
    await send(user, late);
    await until(user, number, {
      state: "regressed",
      regression: expect.objectContaining({ traceId: late.id }),
    });
    expect(await kinds(user, number)).toEqual(["regressed", "resolved", "created"]);
  });

  it("in the next release regresses by a release that is first seen later, and a backport can be excepted", async () => {
    const user = await newUser();
    const tags = (release: string) => ({ tags: [`release:${release}`], startedAt: at(500) });
    await send(user, trace({ name: "support-agent", ...tags("2.4-canary") }));
    const { number } = await oneIssue(user, "quota", tags("2.3"));
    await act(user, number, "resolve", { in: "next" });
    await send(user, failed("quota", tags("2.3")), failed("quota", tags("2.4-canary")), failed("quota"));
    await until(user, number, { runs: 4 });
    await counted(user);
    expect(await get(user, number)).toMatchObject({ state: "resolved" });
    await send(user, failed("quota", tags("2.2.9")));
    await until(user, number, {
      state: "regressed",
      regression: expect.objectContaining({ release: "2.2.9" }),
    });
    expect(await act(user, number, "reopen", { exceptRelease: "2.2.9" })).toMatchObject({
      state: "resolved",
    });
    await send(user, failed("quota", tags("2.2.9")));
    await until(user, number, { runs: 6 });
    await counted(user);
    expect(await get(user, number)).toMatchObject({ state: "resolved" });
  });

  it("in a release that was not seen waits for it, and one in which the issue was seen is refused", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user, "quota", { tags: ["release:1"] });
    const refused = await user.post(`/api/issues/${number}/resolve`, { in: "release", release: "1" });
    expect([refused.status, refused.json.error]).toEqual([
      409,
      "This issue was already seen in release 1. Choose a later release, or resolve it now.",
    ]);
    expect(await act(user, number, "resolve", { in: "release", release: "4" })).toMatchObject({
      resolution: { isPending: true, release: "4" },
    });
    await send(user, failed("quota", { tags: ["release:3"] }));
    await until(user, number, { runs: 2 });
    await counted(user);
    expect(await get(user, number)).toMatchObject({ state: "resolved" });
    await send(user, failed("quota", { tags: ["release:4"] }));
    await until(user, number, { state: "regressed" });
  });

  it("does not regress by imported runs", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user, "quota", { tags: ["release:1"] });
    await act(user, number, "resolve", { in: "next" });
    await send(user, failed("quota", { tags: ["release:2"], startedAt: at(-2 * 86_400_000) }));
    await until(user, number, { runs: 2 });
    await counted(user);
    expect(await get(user, number)).toMatchObject({ state: "resolved" });
  });
});

it("values beyond what the database holds are refused in words", async () => {
  const user = await newUser();
  const { number } = await oneIssue(user);
  const id = randomUUID();
  for (const path of [
    "?from=0000-01-01&to=0000-01-02",
    `/${number}/timeline?cursor=9999-99-99%2099:99:99%2B99_${id}`,
    `/${number}/timeline?cursor=9999999999999999_${id}`,
  ])
    expect((await user.get(`/api/issues${path}`)).status).toBe(400);
  const bulk = { issues: [2 ** 31], action: "acknowledge" };
  expect((await user.post("/api/issues/bulk", bulk)).status).toBe(400);
  const late = { untilDate: "9999-12-31T23:59:59-12:00" };
  expect((await user.post(`/api/issues/${number}/ignore`, late)).status).toBe(400);
});

describe("an ignored issue", () => {
  it("is open again after so many more runs; a run that is sent again is none", async () => {
    const user = await newUser();
    const { run, number } = await oneIssue(user);
    expect(await act(user, number, "ignore", { untilRuns: 2 })).toMatchObject({ state: "ignored" });
    await send(user, run);
    await send(user, failed("policy outdated"));
    await until(user, number, { runs: 2, state: "ignored" });
    await send(user, failed("policy outdated"));
    await until(user, number, { runs: 3, state: "ongoing" });
  });

  it("is open again when its date has come", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user);
    await act(user, number, "ignore", { untilDate: at(3_600_000) });
    await sql`
      update issues set ignored = jsonb_set(ignored, '{untilDate}', '"2026-01-01T00:00:00Z"')
      where workspace_id = ${user.workspaceId}`.execute(db);
    await until(user, number, { state: "ongoing" });
  });

  it.each([
    [{ untilRuns: 0 }, "untilRuns must be between 1 and 1000000"],
    [{ untilDate: "2020-01-01" }, "untilDate must be in the future"],
    [{ untilRuns: 5, untilDate: "2099-01-01" }, "untilRuns and untilDate exclude each other"],
  ])("is refused with %j", async (body, error) => {
    const user = await newUser();
    const { status, json } = await user.post("/api/issues/1/ignore", body);
    expect([status, json]).toEqual([400, { error }]);
  });
});

describe("people", () => {
  it("take issues on, link, comment, resolve and reopen them, and the timeline has all of it", async () => {
    const user = await newUser();
    const { number } = await oneIssue(user);
    const patch = (body: Fields) => user.patch(`/api/issues/${number}`, body);
    expect(expectStatus(await patch({ assigneeId: user.userId }), 200).json).toMatchObject({
      state: "ongoing",
      assignee: { id: user.userId },
    });
    expectStatus(await patch({ externalUrl: "https://tracker.example/T-1" }), 200);
    const comment = expectStatus(
      await user.post(`/api/issues/${number}/comments`, { text: " again " }),
      201,
    ).json;
    await act(user, number, "resolve", { in: "now" });
    expect(await act(user, number, "reopen")).toMatchObject({ state: "ongoing" });
    expect(await kinds(user, number)).toEqual([
      "reopened",
      "resolved",
      "commented",
      "linked",
      "assigned",
      "created",
    ]);
    const first = expectStatus(await user.get(`/api/issues/${number}/timeline?limit=3`), 200).json;
    expect(first.timeline[2]).toMatchObject({ id: comment.id, text: "again", by: { id: user.userId } });
    const rest = await user.get(
      `/api/issues/${number}/timeline?cursor=${encodeURIComponent(first.nextCursor)}`,
    );
    expect(rest.json.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
      "linked",
      "assigned",
      "created",
    ]);
    expectStatus(await user.delete(`/api/issues/${number}/comments/${comment.id}`), 200);
    expect(await kinds(user, number)).not.toContain("commented");
    for (const [body, error] of [
      [{ assigneeId: randomUUID() }, "assigneeId is not a member of this workspace"],
      [
        { externalUrl: "javascript:alert(1)" },
        "externalUrl must be an http or https URL of at most 2000 characters",
      ],
    ] as const)
      expect((await patch(body)).json).toEqual({ error });
  });

  it("change several at once, completely or not at all", async () => {
    const user = await newUser();
    await send(user, failed("one"), failed("two"), failed("three"));
    const numbers = (await issuesOf(user, 3)).map(({ number }) => number);
    const bulk = (issues: (number | undefined)[]) =>
      user.post("/api/issues/bulk", { issues, action: "resolve", in: "now" });
    expect((await bulk([numbers[0], 987_654])).status).toBe(404);
    expect((await list(user)).total).toBe(3);
    expect((await bulk(numbers.slice(0, 2))).json).toEqual({ changed: 2 });
    expect(await list(user)).toMatchObject({ total: 1, counts: { resolved: 2, new: 1 } });
  });

  it("merge issues, which are counted together also in future, and split them into their old numbers", async () => {
    const user = await newUser();
    await send(user, failed("cache timeout"), failed("cannot connect to cache"));
    const issues = await issuesOf(user, 2);
    const [target = 0, source = 0] = ["cache timeout", "cannot connect to cache"].map(
      (title) => issues.find((issue) => issue.title === title)?.number,
    );
    expect((await user.post(`/api/issues/${target}/merge`, { issues: [target] })).json).toEqual({
      error: "An issue cannot be merged into itself",
    });
    expect(await act(user, target, "merge", { issues: [source] })).toMatchObject({ runs: 2, problems: 2 });
    await send(user, failed("cannot connect to cache"));
    await until(user, target, { runs: 3, title: "cache timeout" });
    expect((await get(user, source)).number).toBe(target);
    expect((await user.get(`/api/traces?issue=${source}`)).json.total).toBe(3);
    const write = await user.post(`/api/issues/${source}/resolve`, { in: "now" });
    expect([write.status, write.json]).toEqual([409, { error: `Issue was merged into #${target}` }]);
    const { problems } = (await user.get(`/api/issues/${target}/grouping`)).json;
    const ids: string[] = problems.map(({ id }: { id: string }) => id);
    expect((await user.post(`/api/issues/${target}/split`, { problems: ids })).json).toEqual({
      error: "At least one problem must stay in the issue",
    });
    const moved = problems.find(({ text }: { text: string }) => text === "cannot connect to cache").id;
    expect(await act(user, target, "split", { problems: [moved] })).toMatchObject({
      number: source,
      runs: 2,
    });
    expect((await get(user, target)).runs).toBe(1);
  });

  it("count a run once, in all and by day, if it has two of their problems", async () => {
    const user = await newUser();
    await send(user, failed("cache timeout"), failed("cannot connect to cache"));
    const [target = 0, source = 0] = (await issuesOf(user, 2)).map(({ number }) => number);
    await act(user, target, "merge", { issues: [source] });
    await sql`
      insert into problem_runs (workspace_id, trace_id, problem, kind, agent_hash, version, started_at, text)
      select run.workspace_id, run.trace_id, other.problem, run.kind, run.agent_hash, run.version, run.started_at, run.text
      from problem_runs as run join problem_runs as other
        on other.workspace_id = ${user.workspaceId} and other.problem <> run.problem
      where run.workspace_id = ${user.workspaceId}`.execute(db);
    const { runs, trend } = await get(user, target);
    expect([runs, trend.reduce((sum, day) => sum + day.runs, 0)]).toEqual([2, 2]);
  });

  it("split a resolved issue, and both stay resolved; what was resolved before a merge is so after the split", async () => {
    const user = await newUser();
    await send(user, failed("one cause"), failed("two causes"), failed("three causes"));
    const issues = await issuesOf(user, 3);
    const [one = 0, two = 0, three = 0] = ["one cause", "two causes", "three causes"].map(
      (title) => issues.find((issue) => issue.title === title)?.number,
    );
    const problemOf = async (number: number, text: string): Promise<string> =>
      (await user.get(`/api/issues/${number}/grouping`)).json.problems.find(
        (problem: { text: string }) => problem.text === text,
      ).id;
    await act(user, two, "resolve", { in: "next" });
    await act(user, one, "merge", { issues: [two] });
    const restored = await act(user, one, "split", { problems: [await problemOf(one, "two causes")] });
    expect(restored).toMatchObject({ number: two, state: "resolved", resolution: { in: "next" } });
    await act(user, three, "merge", { issues: [one] });
    await act(user, three, "resolve", { in: "now" });
    // The number that the problem had is taken again, so it gets a new one.
    await sql`
      update issue_problems set former_number = null where workspace_id = ${user.workspaceId}`.execute(db);
    const created = await act(user, three, "split", { problems: [await problemOf(three, "one cause")] });
    expect(created).toMatchObject({ state: "resolved", resolution: { in: "now" } });
    expect(created.number).toBeGreaterThan(3);
    expect(await get(user, three)).toMatchObject({ state: "resolved" });
  });
});

it("releases of an issue come with their share of the agent's runs of the release", async () => {
  const user = await newUser();
  const tagged = (release: string) => ({
    name: "support-agent",
    startedAt: at(-60_000),
    tags: [`release:${release}`],
  });
  await send(user, failed("quota", tagged("1")), trace(tagged("1")), trace(tagged("1")), trace(tagged("1")));
  await send(
    user,
    failed("quota", tagged("2")),
    failed("quota"),
    trace({ ...tagged("2"), status: "RUNNING" }),
  );
  const [issue] = await issuesOf(user, 1);
  const { byRelease } = await until(user, issue?.number ?? 0, { runs: 3 });
  expect(byRelease.map(({ release, runs, share }) => [release, runs, share?.value, share?.of])).toEqual([
    ["2", 1, 1, 1],
    ["1", 1, 0.25, 4],
    [null, 1, 1, 1],
  ]);
});
