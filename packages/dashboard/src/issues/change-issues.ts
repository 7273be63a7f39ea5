import type { Issue, RouteBody } from "@whytrace/contract";
import { api } from "../client/api.ts";
import type { DoneChange } from "../ui/hooks/use-undoable-changes.ts";

/** Until when an issue is ignored; neither: for ever. */
export type Ignoring = { untilRuns?: number; untilDate?: string };
export type Resolution = { in: "now" | "next" } | { in: "release"; release: string };

const bulk = (issues: readonly Issue[], fields: Omit<RouteBody<"POST /api/issues/bulk">, "issues">) =>
  api("POST /api/issues/bulk", { body: { issues: issues.map(({ number }) => number), ...fields } });
const named = (issues: readonly Issue[]) =>
  issues.length === 1 ? `#${issues[0]?.number}` : `${issues.length} issues`;

/** An agent that names no release has no next one. */
export const defaultResolution = (issues: readonly Issue[]): Resolution => ({
  in: issues.every(({ lastRelease }) => lastRelease !== null) ? "next" : "now",
});

export async function resolveIssues(issues: readonly Issue[], resolution: Resolution): Promise<DoneChange> {
  await bulk(issues, { action: "resolve", ...resolution });
  const where =
    resolution.in === "release"
      ? ` in ${resolution.release}`
      : resolution.in === "next"
        ? " in the next release"
        : "";
  return { text: `Resolved ${named(issues)}${where}`, undo: () => restoreStates(issues) };
}

export async function ignoreIssues(issues: readonly Issue[], ignoring: Ignoring): Promise<DoneChange> {
  await bulk(issues, { action: "ignore", ...ignoring });
  return { text: `Ignored ${named(issues)}`, undo: () => restoreStates(issues) };
}

export async function reopenIssues(issues: readonly Issue[]): Promise<DoneChange> {
  await bulk(issues, { action: "reopen" });
  return { text: `Reopened ${named(issues)}`, undo: () => restoreStates(issues) };
}

/** Resolves an issue again: the release that broke its resolution comes from an old branch. */
export async function exceptRelease(issue: Issue, release: string): Promise<DoneChange> {
  await api("POST /api/issues/:number/reopen", {
    params: { number: issue.number },
    body: { exceptRelease: release },
  });
  return { text: `Resolved #${issue.number}, except in ${release}`, undo: () => restoreStates([issue]) };
}

export async function assignIssues(
  issues: readonly Issue[],
  assignee: { id: string; words: string } | null,
): Promise<DoneChange> {
  await bulk(issues, { action: "assign", assigneeId: assignee?.id ?? null });
  return {
    text: assignee ? `Assigned ${named(issues)} to ${assignee.words}` : `Nobody has ${named(issues)} now`,
    undo: async () => {
      for (const { number, assignee: before } of issues)
        await api("PATCH /api/issues/:number", {
          params: { number },
          body: { assigneeId: before?.id ?? null },
        });
    },
  };
}

/** Merges issues into the first of them. */
export async function mergeIssues([target, ...sources]: readonly Issue[]): Promise<DoneChange> {
  if (!target) throw new Error("Nothing to merge");
  const problems = await Promise.all(
    sources.map(({ number }) => api("GET /api/issues/:number/grouping", { params: { number } })),
  );
  await api("POST /api/issues/:number/merge", {
    params: { number: target.number },
    body: { issues: sources.map(({ number }) => number) },
  });
  return {
    text: `Merged ${named(sources)} into #${target.number}`,
    undo: async () => {
      for (const { problems: own } of problems)
        await api("POST /api/issues/:number/split", {
          params: { number: target.number },
          body: { problems: own.map(({ id }) => id) },
        });
    },
  };
}

/** Moves a problem out of an issue, into one of its own. */
export async function splitIssue(issue: Issue, problem: string): Promise<DoneChange> {
  const { number } = await api("POST /api/issues/:number/split", {
    params: { number: issue.number },
    body: { problems: [problem] },
  });
  return {
    text: `Split off #${number}`,
    undo: () =>
      api("POST /api/issues/:number/merge", { params: { number: issue.number }, body: { issues: [number] } }),
  };
}

/** Each issue gets back the state that it had before. */
async function restoreStates(before: readonly Issue[]): Promise<void> {
  for (const { number, state, resolution, ignored } of before) {
    if (state === "resolved" && resolution) {
      const { in: fixedIn, release, note, url } = resolution;
      await api("POST /api/issues/:number/resolve", {
        params: { number },
        body: { in: fixedIn, release, note, url },
      });
    } else if (state === "ignored" && ignored)
      await api("POST /api/issues/:number/ignore", {
        params: { number },
        body: { untilRuns: ignored.runsLeft, untilDate: ignored.untilDate },
      });
    else await api("POST /api/issues/:number/reopen", { params: { number }, body: { isUndo: true } });
  }
}
