import type { Blame, Suspect } from "@whytrace/contract";
import { suspectSentence, unexplainedSentence } from "@whytrace/contract";
import type { IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import { HttpError } from "../http/http-error.ts";
import { isOverload } from "../http/is-overload.ts";
import { explainError } from "../insights/blame/explain-error.ts";
import { compareTraces } from "../insights/compare/compare-traces.ts";
import { readFailedPlace } from "../issues/hand-over/read-failed-place.ts";
import { parseRange } from "../issues/issue-range.ts";
import { explainIssue } from "../issues/likely/explain-issue.ts";
import { readIssueDetail } from "../issues/read-issue.ts";
import { readTimeline } from "../issues/read-timeline.ts";
import { ISSUE_NOT_FOUND } from "../issues/require-issue.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { type Answer, fitLines, MAX_DATA_CHARACTERS } from "./answer.ts";
import { codePlace } from "./code-place.ts";
import { describeDivergence } from "./describe-decision.ts";
import { failedSpanLine } from "./failed-span-line.ts";
import { pageLinks } from "./page-links.ts";
import { parsed } from "./parsed.ts";
import { readRecord } from "./read-record.ts";
import { shortNumber } from "./short-number.ts";
import type { ToolCall } from "./tool.ts";

const MAX_GROUPS = 10;
const MAX_COMMENTS = 10;
const MAX_COMMENT_LENGTH = 500;
const MAX_REASONING_LENGTH = 1_500;
const HOW_TO_CHECK =
  "To check a fix: write a test that fails because of the cause, run the agent again and compare the new run with compare_traces. " +
  "Resolve in the next release, and only after the user agrees.";

/** All that a coding agent needs of an issue, in one answer. */
export async function answerIssue(call: ToolCall, number: number): Promise<Answer> {
  const { reads, db, workspaceId, publicUrl } = call;
  const members = await listMembers(db, workspaceId);
  const range = parseRange({}, Date.now());
  const read = await reads.run(workspaceId, async (own) => {
    const detail = await readIssueDetail(own, workspaceId, number, { range, members });
    if (!detail) throw new HttpError(404, ISSUE_NOT_FOUND);
    const place = await readFailedPlace(own, workspaceId, detail.number);
    const { timeline } = await readTimeline(own, workspaceId, detail.number, {
      kind: "commented",
      cursor: undefined,
      limit: MAX_COMMENTS,
      members,
    });
    return { detail, place, timeline };
  });
  const issue = await explainIssue(call, workspaceId, read.detail);
  const traceId = read.place?.traceId;
  const blame = traceId === undefined ? undefined : await explainRun(call, traceId);
  const spanId = read.place?.spanId ?? blame?.error?.spanId ?? null;
  const span =
    traceId === undefined || spanId === null ? undefined : await failedSpanLine(call, traceId, spanId);
  const comments = read.timeline.map(({ at, by, text = "" }) => ({
    at,
    by: by?.name ?? null,
    text: text.slice(0, MAX_COMMENT_LENGTH),
  }));
  const lines = fitLines(
    [
      describeIssue(issue, publicUrl),
      await describeLikely(call, issue, blame),
      ...(traceId === undefined || issue.nearestGoodRun === null
        ? []
        : [await describeDifference(call, traceId, issue.nearestGoodRun)]),
      ...(comments.length === 0 ? [] : [{ comments }]),
      ...(traceId === undefined ? [] : [describeNext(issue, traceId, publicUrl)]),
    ],
    MAX_DATA_CHARACTERS - (span?.length ?? 0) - 1,
  );
  return {
    summary: [
      `Issue ${issue.number} is ${issue.state}: ${issue.runs} runs in the last 30 days.`,
      issue.likely === null
        ? unexplainedSentence(issue)
        : `A decision ${issue.likely.word === "likely" ? "likely" : "possibly"} explains it.`,
      HOW_TO_CHECK,
    ].join(" "),
    // The span follows the decision that likely made it fail.
    lines: span === undefined ? lines : [...lines.slice(0, 2), span, ...lines.slice(2)],
  };
}

async function explainRun(call: ToolCall, traceId: string): Promise<Blame | undefined> {
  return explainError(call, call.workspaceId, { traceId }).catch((error: unknown) => {
    // The run was deleted meanwhile, or too much is learnt at the moment.
    if (isOverload(error) || (error instanceof HttpError && error.status === 404)) return undefined;
    throw error;
  });
}

const describeIssue = (issue: IssueDetail, publicUrl: string) => ({
  issue: issue.number,
  title: issue.title,
  state: issue.state,
  kind: issue.kind,
  agent: issue.agent,
  runs: issue.runs,
  share: issue.share && { value: shortNumber(issue.share.value), of: issue.share.of },
  people: issue.people,
  firstSeen: issue.firstSeen,
  lastSeen: issue.lastSeen,
  releases: issue.byRelease
    .slice(0, MAX_GROUPS)
    .map(({ release, runs, share }) => ({ release, runs, share: share && shortNumber(share.value) })),
  models: issue.byModel.slice(0, MAX_GROUPS),
  resolution: issue.resolution,
  regression: issue.regression,
  assignee: issue.assignee?.name ?? null,
  externalUrl: issue.externalUrl,
  page: pageLinks(publicUrl).issue(issue.number),
});

/** The decision with both rates, and what the newest run says about it. */
async function describeLikely(
  call: ToolCall,
  { likely, unexplained }: IssueDetail,
  blame: Blame | undefined,
) {
  const suspect = likely && blame?.suspects.find(({ step }) => step === likely.step);
  return {
    likely: likely && {
      word: likely.word,
      chose: likely.option,
      alternative: likely.alternative,
      badAfterIt: likely.chosen,
      badRateOfOthers: shortNumber(likely.alternativeRate),
      ...(suspect && blame && { says: suspectSentence(suspect, blame).text, clue: suspect.clue }),
      ...(suspect && blame && (await readDecision(call, blame.traceId, suspect))),
      signature: likely.signature,
      step: likely.step,
    },
    ...(unexplained && { unexplained }),
  };
}

/** Why the run decided so, and where in the code, if the span in which it decided says it. */
async function readDecision(call: ToolCall, traceId: string, { decisionPointId }: Suspect) {
  if (decisionPointId === null) return { reasoning: null };
  const record = await readRecord(call, traceId, { kind: "decisionPoints", id: decisionPointId });
  const reasoning: unknown = JSON.parse(record?.get("reasoning") ?? "null");
  const spanId = parsed(record?.get("parentSpanId"));
  const span =
    typeof spanId === "string" ? await readRecord(call, traceId, { kind: "spans", id: spanId }) : undefined;
  const code = span && codePlace(span);
  return {
    reasoning: typeof reasoning === "string" ? reasoning.slice(0, MAX_REASONING_LENGTH) : null,
    ...(code && { code }),
  };
}

async function describeDifference({ reads, days, workspaceId, publicUrl }: ToolCall, a: string, b: string) {
  const comparison = await compareTraces({ reads, days }, workspaceId, { a, b });
  return {
    nearestGoodRun: { traceId: b, page: pageLinks(publicUrl).comparison(a, b) },
    firstDifference: describeDivergence(comparison),
  };
}

/** Calls of other tools that show more. */
const describeNext = ({ nearestGoodRun, examples }: IssueDetail, traceId: string, publicUrl: string) => ({
  next: {
    why: { traceId },
    get_trace: { traceId },
    ...(nearestGoodRun !== null && { compare_traces: { a: traceId, b: nearestGoodRun } }),
  },
  examples,
  page: pageLinks(publicUrl).trace(traceId),
});
