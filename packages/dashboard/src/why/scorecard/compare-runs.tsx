import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Scorecard, ScorecardOption } from "@whytrace/contract";
import { api } from "../../client/api.ts";
import { paths } from "../../paths.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { Pill } from "../../ui/pill.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";

interface CompareRunsProps {
  card: Scorecard;
  search: CountedSearch;
  /** The option whose failed run is looked for. */
  option: ScorecardOption;
}

/** Compares the newest run that failed after an option with a similar one that went well. */
export function CompareRuns({ card, search, option }: CompareRunsProps) {
  const navigate = useNavigate();
  const find = useMutation({
    mutationFn: () =>
      api("GET /api/traces", {
        query: { ...countedTraces(card, search), step: option.step, stepOutcome: "failed", limit: 1 },
      }),
    onSuccess: ({ traces: [failed] }) => {
      if (failed) void navigate({ to: paths.compare, search: { a: failed.id } });
    },
  });
  const isPossible = option.rate.failedRuns > 0;
  useShortcuts({ c: () => isPossible && find.mutate() });
  if (!isPossible) return null;
  return (
    <span className="flex flex-wrap items-center gap-2 text-xs">
      <Pill isDisabled={find.isPending} hotkey="c" onClick={() => find.mutate()}>
        Compare a bad with a good run
      </Pill>
      <span role="status">{find.isError ? find.error.message : ""}</span>
    </span>
  );
}
