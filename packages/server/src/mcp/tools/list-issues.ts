import { unexplainedWords } from "@whytrace/contract";
import { ISSUE_KINDS, type Issue, LISTED_STATES } from "@whytrace/contract/schemas/issues/issues";
import { z } from "zod";
import { enumParam } from "../../http/request/query-params.ts";
import { parseRange } from "../../issues/issue-range.ts";
import { listIssues as list } from "../../issues/list-issues.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, pageAt, positionParam } from "../page-cursor.ts";
import { pageLinks } from "../page-links.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

export const listIssues = defineTool({
  name: "list_issues",
  title: "List issues: what bad runs have in common",
  description:
    "Bad runs of an agent with the same error, bad score or condition are an issue. Regressed ones first, then new and ongoing ones. Each " +
    "line: { issue, title, state, kind, agent, runs, share, people, firstSeen, lastSeen, releases, likely, newestTraceId, page }, of the last " +
    "30 days. likely is the decision that most of its runs are explained by; without one, unexplained says why. Then call get_issue.",
  input: z.strictObject({
    state: enumParam("state", LISTED_STATES, "open, the default, is new, ongoing and regressed"),
    kind: enumParam("kind", ISSUE_KINDS, "What makes the runs bad"),
    agent: z.string().optional().describe("Only issues of the agent of this name"),
    release: z.string().optional().describe("Only issues with a run of this release"),
    search: z.string().optional().describe("Part of the title"),
    cursor: positionParam,
  }),
  async run({ reads, workspaceId, publicUrl }, { state = "open", cursor: position, ...filter }) {
    const { page, skip } = pageAt(position);
    const query = { ...filter, ...page, state, sort: "inbox" as const, range: parseRange({}, Date.now()) };
    const { issues, total, counts } = await reads.run(workspaceId, (db) => list(db, workspaceId, query, []));
    const lines = fitLines(issues.slice(skip).map((issue) => describe(issue, publicUrl)));
    return {
      summary:
        total === 0
          ? "No issue matches. Leave out a filter, or pass state all."
          : `${total} issues match; these are ${position + 1} to ${position + lines.length}. By state: ${counts.regressed} regressed, ` +
            `${counts.new} new, ${counts.ongoing} ongoing, ${counts.resolved} resolved, ${counts.ignored} ignored.`,
      lines,
      cursor: cursorAfter(position, lines.length, total),
    };
  },
});

const describe = (issue: Issue, publicUrl: string) => ({
  issue: issue.number,
  title: issue.title,
  state: issue.state,
  kind: issue.kind,
  agent: issue.agent,
  runs: issue.runs,
  share: issue.share && shortNumber(issue.share.value),
  people: issue.people,
  firstSeen: issue.firstSeen,
  lastSeen: issue.lastSeen,
  releases: { first: issue.firstRelease, last: issue.lastRelease },
  likely: issue.likely && {
    word: issue.likely.word,
    chose: issue.likely.option,
    alternative: issue.likely.alternative,
  },
  ...(issue.likely === null && { unexplained: unexplainedWords(issue) }),
  newestTraceId: issue.newestTraceId,
  page: pageLinks(publicUrl).issue(issue.number),
});
