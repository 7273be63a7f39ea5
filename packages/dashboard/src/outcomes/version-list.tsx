import { useQuery } from "@tanstack/react-query";
import type { Condition } from "@whytrace/contract";
import { Button } from "../ui/controls/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { conditionWords } from "./condition-words.ts";
import { versionsQuery } from "./outcomes-query.ts";
import { VersionWords } from "./version-note.tsx";

interface VersionListProps {
  agent: string | undefined;
  onUse: (conditions: Condition[]) => void;
}

/** All versions of a definition, newest first, with who and when. */
export function VersionList({ agent, onUse }: VersionListProps) {
  return (
    <QueryResult query={useQuery(versionsQuery(agent))} skeleton={<SkeletonList count={2} />}>
      {({ versions }) =>
        versions.length === 0 ? (
          <p className="text-muted">
            Nobody has changed it:{" "}
            {agent === undefined ? "it is the built-in one." : "the agent has the workspace’s definition."}
          </p>
        ) : (
          <ol
            aria-label="Versions"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
            tabIndex={0}
            className="grid max-h-[60dvh] gap-3 overflow-y-auto"
          >
            {versions.map((one) => (
              <li key={one.version} className="grid gap-1 rounded-md border border-line p-3">
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <h3 className="font-semibold">
                    <VersionWords shown={one} agent={agent} />
                  </h3>
                  <Button onClick={() => onUse(one.bad)} aria-label={`Edit from version ${one.version}`}>
                    Edit from here
                  </Button>
                </div>
                {one.note !== null && <p className="whitespace-pre-wrap break-words">{one.note}</p>}
                <ul className="list-disc pl-5 text-muted">
                  {one.bad.map((condition) => (
                    <li key={JSON.stringify(condition)} className="break-words">
                      {conditionWords(condition)}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        )
      }
    </QueryResult>
  );
}
