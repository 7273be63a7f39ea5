import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Scorecard, ScorecardOption } from "@whytrace/contract";
import { paths } from "../../../paths.ts";
import { useShortcuts } from "../../../ui/hooks/use-shortcuts.ts";
import { Pill } from "../../../ui/pill.tsx";
import type { CountedSearch } from "../../counted-search.ts";
import { countedTraces } from "../../counted-traces.ts";
import { findNextToJudge } from "./find-next-to-judge.ts";

interface JudgeNextProps {
  card: Scorecard;
  search: CountedSearch;
  option: ScorecardOption;
}

/** Opens the newest decision for the selected option that nobody has judged. */
export function JudgeNext({ card, search, option }: JudgeNextProps) {
  const navigate = useNavigate();
  const find = useMutation({
    mutationFn: () => findNextToJudge(card, option, countedTraces(card, search)),
    onSuccess: (found) => {
      if (found)
        void navigate({
          to: paths.trace,
          params: { id: found.traceId },
          search: { decision: found.decisionId },
        });
    },
  });
  useShortcuts({ v: () => find.mutate() });
  return (
    <span className="flex items-center gap-2">
      <span role="status">
        {find.isError ? find.error.message : find.isSuccess && !find.data ? "The newest are all judged" : ""}
      </span>
      <Pill isDisabled={find.isPending} hotkey="v" onClick={() => find.mutate()}>
        Judge the next
      </Pill>
    </span>
  );
}
