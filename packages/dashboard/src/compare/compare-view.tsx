import type { Comparison, Partner, PartnerList } from "@whytrace/contract";
import { Kbd } from "../ui/badges.tsx";
import { Button } from "../ui/controls/button.tsx";
import { CopyMenu, LINK_NOTE } from "../ui/controls/copy-menu.tsx";
import { type KeyHint, KeyHints } from "../ui/key-hints.tsx";
import { PageFooter } from "../ui/page-footer.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { HowCounted } from "../why/how-counted.tsx";
import type { CompareSearch } from "./compare-search.ts";
import { Divergence } from "./divergence.tsx";
import { Figures } from "./figures.tsx";
import { LineList } from "./line-list.tsx";
import { CELL, COLUMNS } from "./model/columns.ts";
import { comparisonMarkdown } from "./model/comparison-markdown.ts";
import { PartnerPicker } from "./partner-picker.tsx";
import { RunTitle } from "./run-title.tsx";
import { SameDecisions } from "./same-decisions.tsx";
import { useCompareShortcuts } from "./use-compare-shortcuts.ts";

interface CompareViewProps {
  comparison: Comparison;
  list: PartnerList | undefined;
  search: CompareSearch;
  onChange: (change: CompareSearch, isContinued?: boolean) => void;
  onPick: () => void;
}

const KEYS: KeyHint[] = [
  [["n", "N"], "difference"],
  [["j", "k"], "decision"],
  [["↵"], "open in trace"],
  [["[", "]"], "partner"],
  [["u"], "fold same"],
];

/** Two runs side by side. */
export function CompareView({ comparison, list, search, onChange, onPick }: CompareViewProps) {
  const { a, b } = comparison;
  const partners = list?.partners ?? [];
  const listed = partners.filter(({ traceId }) => traceId === b.id);
  const current = listed.find(({ kind }) => kind === search.kind) ?? listed[0];
  const choose = ({ traceId, kind }: Partner) => onChange({ b: traceId, kind }, true);
  const swap = () => onChange({ a: b.id, b: a.id, kind: undefined, at: undefined, step: undefined });
  const toggleFold = () => onChange({ fold: search.fold ? undefined : "1" }, true);
  const rows = useCompareShortcuts({
    onSwap: swap,
    onFold: toggleFold,
    onStepPartner: (step) => {
      const ofKind = partners.filter(({ kind }) => kind === (current ?? partners[0])?.kind);
      const next = ofKind[current ? ofKind.indexOf(current) + step : 0];
      if (next) choose(next);
    },
    onPick,
  });
  const keys = {
    areAllKeysShown: search.keys === "all",
    onToggleKeys: () => onChange({ keys: search.keys ? undefined : "all" }, true),
  };
  return (
    <>
      <PageHeader title="Compare" count={list?.agent}>
        <span className="ml-auto flex gap-2">
          <Button onClick={swap} aria-keyshortcuts="s">
            <span aria-hidden="true">⇄</span> Swap{" "}
            <span className="max-sm:hidden">
              <Kbd>s</Kbd>
            </span>
          </Button>
          <CopyMenu
            copies={[
              { label: "Link to this view", note: LINK_NOTE, createText: async () => location.href },
              { label: "Markdown", createText: async () => comparisonMarkdown(comparison, location.origin) },
            ]}
          />
        </span>
      </PageHeader>
      <div className={`${COLUMNS} gap-y-0.5 pb-2.5 max-md:gap-y-1`}>
        <div className={`${CELL} col-start-2`}>
          <RunTitle side="A" run={a} />
          <p className="min-h-6 pl-7 text-xs leading-6 text-muted">{describeEnd(comparison)}</p>
        </div>
        <span className="max-md:hidden" />
        <div className={CELL}>
          <RunTitle side="B" run={b} />
          <div className="pl-7">
            <PartnerPicker partners={partners} current={current} onChoose={choose} onPick={onPick} />
          </div>
        </div>
      </div>
      <Figures comparison={comparison} />
      {comparison.divergence === null && <SameDecisions comparison={comparison} {...keys} />}
      <div ref={rows} className="flex-1">
        <LineList
          key={`${a.id} ${b.id}`}
          comparison={comparison}
          suspectId={search.at}
          isFolded={search.fold === "1"}
          onUnfold={toggleFold}
          divergence={<Divergence key="divergence" comparison={comparison} agent={list?.agent} {...keys} />}
        />
      </div>
      <PageFooter isSticky>
        <HowCounted>
          One pair of runs is an example, not evidence: the rates come from the scorecard and show
          association, not cause.
        </HowCounted>
        <KeyHints hints={KEYS} />
      </PageFooter>
    </>
  );
}

/** `Failed with HTTP 409 Conflict`. */
function describeEnd({ a: { status, error } }: Comparison): string {
  if (status === "RUNNING") return "Still running: the comparison follows it";
  if (status === "COMPLETED") return "Completed";
  return error === null ? "Failed" : `Failed with ${error}`;
}
