import { useQueries, useQuery } from "@tanstack/react-query";
import type { Condition } from "@whytrace/contract";
import { shortValue } from "../score-names/score-kind-words.ts";
import { scoreSummaryQuery, scoreValuesQuery } from "../score-names/score-queries.ts";
import { Button } from "../ui/controls/button.tsx";
import { SOURCE_WORDS } from "./condition-words.ts";
import type { DraftCondition } from "./draft.ts";

interface UnusedNumbersProps {
  agent: string | undefined;
  draft: readonly DraftCondition[];
  onAdd: (condition: Condition) => void;
}

/** More names with numbers than this are not offered: each costs a request. */
const MAX_NAMES = 5;

/** The numbers that no condition uses, each with cuts that would make use of it. */
export function UnusedNumbers({ agent, draft, onAdd }: UnusedNumbersProps) {
  const { data } = useQuery(scoreSummaryQuery({ agent, range: undefined }));
  const used = new Set(draft.map(({ condition }) => condition.kind === "score" && condition.name));
  const unused = (data?.names ?? [])
    .filter(({ name, kinds }) => kinds.includes("number") && !used.has(name))
    .slice(0, MAX_NAMES);
  const values = useQueries({
    queries: unused.map(({ name }) => scoreValuesQuery({ name, agent, range: undefined })),
  });
  return (
    <ul aria-label="Numbers that no condition uses">
      {unused.map(({ name, runs, sources }, index) => {
        const numbers = values[index]?.data?.numbers;
        return (
          <li
            key={name}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-3 py-2.5"
          >
            <p className="min-w-0 flex-1 basis-60 break-words text-muted">
              <b className="font-semibold text-text">{name}</b> (
              {sources.map((one) => SOURCE_WORDS[one]).join(", ")}
              {numbers && `, numbers from ${shortValue(numbers.min)} to ${shortValue(numbers.max)}`},{" "}
              {runs.toLocaleString("en")} {runs === 1 ? "run" : "runs"}) is not used: say from which value on
              it is bad.
            </p>
            <span className="flex flex-wrap gap-1.5">
              {numbers?.cuts.map((cut) => (
                <Button
                  key={cut.below}
                  className="min-h-7! px-2! text-xs max-sm:min-h-11!"
                  aria-label={`${name} below ${cut.below}: ${cut.runs} runs`}
                  onClick={() => onAdd({ kind: "score", name, op: "below", value: cut.below })}
                >
                  Below {shortValue(cut.below)}: {cut.runs.toLocaleString("en")}
                </Button>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
