import {
  type Blame,
  blameSentence,
  explanationSentence,
  type Findings,
  type Issue,
  suspectSentence,
  unexplainedSentence,
  unexplainedWords,
} from "@whytrace/contract";
import { DEMO_STORY } from "@whytrace/demo";
import type { Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { type ConnectedMcp, connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { IS_WHOLE, sampleOf, volume } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../test/call.ts";
import { bootSignedIn } from "../test/signed-in.ts";
import { Api } from "./api.ts";
import { Output } from "./print/output.ts";
import { newSeed, storeDemo, storeOverHttp } from "./seed-demo.ts";

const STORIES = [DEMO_STORY, ...(IS_WHOLE ? [1, 2, 3, 4, 5, 6, 8, 9, 10].slice(0, volume(9)) : [])];
const TRACES = 2_000;
/** How many failed runs are read by all doors. The others of the sample are read by the trace and the overview. */
const OPENED = volume(40);
const WAIT = { timeout: 120_000, interval: 500 };

const { env, signIn, db } = await bootSignedIn();
const sink = { write: () => true };
const output = new Output({ stdout: sink, stderr: sink, isJson: false, isColourDisabled: true });

const read = async (user: Sender, path: string) => expectStatus(await user.get(path), 200).json;
const stdoutOf = async (...args: string[]) => (await call(args, env)).stdout;
/** As it is said in a terminal. */
const plain = (text: string) => text.replaceAll("`", "");

async function readAll<Row>(user: Sender, path: string, field: string): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await read(user, `${path}&limit=100&page=${page}`);
    all.push(...answer[field]);
    pages = answer.totalPages;
  }
  return all;
}

describe.each(STORIES)("of the demo month %i, all that explains a failed run agrees", (story) => {
  let user: Sender;
  let mcp: ConnectedMcp;
  let refundId: string;
  let found: Findings;
  let failed: { id: string; name: string }[];
  const blames = new Map<string, Blame>();

  beforeAll(async () => {
    user = await signIn();
    mcp = await connectMcp(user, "review");
    const store = storeOverHttp(new Api(user.url, { key: user.key }));
    const { stored } = await storeDemo(store, { traces: TRACES, seed: newSeed(), story }, output);
    expect(stored).toBe(TRACES);
    failed = await readAll(user, "/api/traces?status=ERROR", "traces");
    refundId = failed.find(({ name }) => name === "support-agent: refund request")?.id ?? "";
    await vi.waitFor(async () => {
      const issues = await readAll<Issue>(user, "/api/issues?state=all", "issues");
      const counted = issues.reduce((sum, { kind, runs }) => sum + (kind === "error" ? runs : 0), 0);
      // The first runs of the month are outside of the range of days.
      expect(counted).toBeGreaterThanOrEqual(0.95 * failed.length);
    }, WAIT);
    // The issues are new, so all of them are explained again after a while.
    await sql`update likely_jobs set created_at = now() where workspace_id = ${user.workspaceId}`.execute(db);
    await vi.waitFor(async () => {
      const { rows } = await sql<{ due: number }>`
        select count(*) as due from likely_jobs
        where workspace_id = ${user.workspaceId} and created_at < now() + interval '5 seconds'`.execute(db);
      expect(rows[0]?.due).toBe(0);
    }, WAIT);
    found = await read(user, "/api/insights/findings");
    const explained = [refundId, ...sampleOf(failed).map(({ id }) => id)];
    for (const id of explained) blames.set(id, await read(user, `/api/insights/blame/${id}`));
  }, 300_000);

  it("an option that the overview names is suspected in every failed run that chose it before its error", () => {
    const worse = found.rows.filter(({ group, kind }) => group === "worse" && kind === "chose");
    expect(worse.map(({ option }) => option)).toContain("refund_api");
    const unsaid = [...blames.values()].flatMap(({ traceId, agent, suspects }) =>
      suspects
        .filter((one) => one.kind === "chose" && one.suspicion === "none")
        .filter((one) => worse.some((row) => row.agent === agent && row.step === one.step))
        .map(({ option }) => ({ traceId, agent, option })),
    );
    expect(unsaid).toEqual([]);
  });

  it.runIf(story === DEMO_STORY)("its failed refund is explained by the decision that README names", () => {
    const refund = blames.get(refundId);
    expect(refund?.error?.message).toContain("HTTP 409");
    expect(refund?.suspects[0]).toMatchObject({ option: "refund_api", suspicion: "likely" });
  });

  it("the trace, the command line and an assistant say the same of a failed run", async () => {
    const stride = Math.ceil(blames.size / OPENED);
    for (const [id, blame] of [...blames].filter((_, index) => index % stride === 0)) {
      const [first] = blame.suspects;
      const isSuspected = first !== undefined && first.suspicion !== "none";
      const sentence = blameSentence(blame).text;
      expect(plain(await stdoutOf("why", id))).toContain(
        plain(isSuspected ? `1. ${suspectSentence(first, blame).text}` : sentence),
      );
      const { data, words } = await mcp.call("why", { traceId: id });
      expect(data[0]).toMatchObject({ traceId: id, says: sentence });
      expect(words).toContain(
        isSuspected
          ? `The first suspect ${first.suspicion === "likely" ? "likely" : "possibly"} explains this run.`
          : sentence,
      );
    }
  }, 300_000);

  it("an issue names what most of its newest runs are explained by, or their verdict, on its page and in every list", async () => {
    const issues = await readAll<Issue>(user, "/api/issues?state=all", "issues");
    expect(issues.length).toBeGreaterThan(5);
    const listed = (await mcp.call("list_issues", { state: "all" })).data;
    const lines = (await stdoutOf("issues", "--state", "all", "--last", "100")).split("\n");
    for (const issue of issues) {
      const { number, likely, unexplained } = issue;
      const about = `issue ${number} ${issue.title}`;
      const detail: Issue = await read(user, `/api/issues/${number}`);
      expect({ likely: detail.likely, unexplained: detail.unexplained }, about).toEqual({
        likely,
        unexplained,
      });
      expect(plain(await stdoutOf("issue", String(number)))).toContain(explanationSentence(issue));
      expect(
        lines.find((line) => line.startsWith(`#${number} `)),
        about,
      ).toContain(likely ? likely.word : unexplainedWords(issue));
      const told = listed.find((one: { issue: number }) => one.issue === number);
      if (told)
        expect(told.likely?.chose ?? told.unexplained, about).toBe(likely?.option ?? unexplainedWords(issue));
      const answer = await mcp.call("get_issue", { issue: number });
      expect(answer.words, about).toContain(
        likely
          ? `A decision ${likely.word === "likely" ? "likely" : "possibly"} explains it.`
          : unexplainedSentence(issue),
      );
      if (issue.kind !== "error") continue;
      const { traces } = await read(user, `/api/traces?issue=${number}&limit=5`);
      const newest: Blame[] = [];
      for (const { id } of traces)
        if (failed.some((run) => run.id === id))
          newest.push(blames.get(id) ?? (await read(user, `/api/insights/blame/${id}`)));
      const firsts = newest.flatMap(({ suspects: [first] }) =>
        first && first.suspicion !== "none" ? first : [],
      );
      if (likely)
        expect(firsts.filter(({ step }) => step === likely.step).length, about).toBeGreaterThanOrEqual(
          Math.min(3, newest.length),
        );
      else if (unexplained?.reason !== "varies")
        expect(
          firsts.map(({ option }) => option),
          about,
        ).toEqual([]);
      if (unexplained?.reason === "too-few-runs")
        expect(newest.map((blame) => blameSentence(blame).text).join(), about).toContain("Too few runs yet");
    }
  }, 300_000);
});
