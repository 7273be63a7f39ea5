import { useQuery } from "@tanstack/react-query";
import { request } from "../client/api.ts";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { Code } from "../ui/code.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

/** The prompt that lets a coding agent find and mend the cause, and two commands that pass it on. */
export function CodingAgentSheet({ number }: { number: number }) {
  const prompt = useQuery({
    queryKey: [ISSUES_KEY, "prompt", number],
    queryFn: async ({ signal }) => (await request(`/api/issues/${number}/prompt`, { signal })).text(),
    staleTime: 60_000,
  });
  const commands = ["claude", "codex"].map((tool) => `${tool} "$(npx whytrace issue ${number} --prompt)"`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-muted">
        The prompt names the tool that reads this issue. It contains no text of a run, so nobody who makes
        your agent fail can write into it.
      </p>
      <QueryResult query={prompt} skeleton={<SkeletonRows count={3} />}>
        {(text) => (
          <>
            <Code label="Prompt" text={text} isWrapped />
            <div>
              <CopyButton text={text} label="Copy the prompt" />
            </div>
          </>
        )}
      </QueryResult>
      <p className="text-muted">Or from a shell in the repository of the agent:</p>
      <Code label="Commands" text={commands.join("\n")} isWrapped />
    </div>
  );
}
