import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { DecisionRule, DriftReport } from "@whytrace/contract";
import { omitEmpty } from "../../client/search-params.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { Author } from "../../shell/author.tsx";
import { Button, buttonStyle } from "../../ui/controls/button.tsx";
import { useListShortcuts } from "../../ui/hooks/use-list-shortcuts.ts";
import { type Column, ListTable } from "../../ui/list-table.tsx";
import { EmptyState, ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { AgentPicker } from "../agent-picker.tsx";
import { WhySwitch } from "../why-switch.tsx";
import { describeRule } from "./describe-rule.ts";
import { ruleResultsQuery, rulesQuery } from "./rules-query.ts";
import { useDeleteRule } from "./use-delete-rule.ts";

const ROUTE = "/signed-in/why/rules";
const route = getRouteApi(ROUTE);

export const rulesPage = createLazyRoute(ROUTE)({ component: RulesPage });

type RuleResult = DriftReport["rules"][number];

const COLUMNS: Column[] = [
  ["Rule", ""],
  ["Agent", "w-[28%]"],
  ["Last 7 days", "w-52"],
  ["Actions", "w-24"],
];
const CELL = "px-2.5 py-2 first:pl-4 last:pr-4 max-lg:block max-lg:px-4 max-lg:py-0.5";

/** All rules of the workspace: how often an option may be chosen, or that it must not be. */
function RulesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useQuery(rulesQuery);
  const hasRules = rules.data !== undefined && rules.data.rules.length > 0;
  const results = useQuery({ ...ruleResultsQuery, enabled: hasRules });
  const remove = useDeleteRule();
  const isReadOnly = useIsReadOnly();
  const { list } = useListShortcuts();
  const isOf = ({ agent }: DecisionRule) => search.agent === undefined || agent === search.agent;
  const error = results.error ?? remove.error;
  return (
    <>
      <PageHeader title="Rules" count={rules.data?.rules.filter(isOf).length.toLocaleString("en")}>
        <AgentPicker
          search={search}
          onChange={(agent) => void navigate({ search: (before) => omitEmpty({ ...before, agent }) })}
        />
        <div className="max-sm:w-full md:ml-auto">
          <WhySwitch search={search} />
        </div>
      </PageHeader>
      <p className="max-w-3xl px-4 pb-3 text-muted">
        A rule says how often an option may be chosen, or that it must not be.{" "}
        <code>whytrace drift --fail</code> checks all of them, for example in a CI job before a release. Add
        one on the scorecard of a decision.
      </p>
      {error && (
        <div className="px-4 pb-3">
          <ErrorNotice error={error} />
        </div>
      )}
      <div
        ref={list}
        aria-busy={rules.isFetching || results.isLoading}
        className="flex-1 border-t border-line"
      >
        <QueryResult query={rules} skeleton={<SkeletonRows height="h-11" />}>
          {(data) => {
            const shown = data.rules.filter(isOf);
            if (shown.length === 0) return <NoRules isFiltered={data.rules.length > 0} />;
            return (
              <ListTable columns={isReadOnly ? COLUMNS.slice(0, -1) : COLUMNS}>
                {shown.map((rule) => (
                  <Row
                    key={rule.id}
                    rule={rule}
                    result={results.data?.get(rule.id)}
                    isDeleting={remove.isPending}
                    onDelete={isReadOnly ? undefined : () => remove.mutate(rule.id)}
                  />
                ))}
              </ListTable>
            );
          }}
        </QueryResult>
      </div>
    </>
  );
}

const NoRules = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState title={isFiltered ? "This agent has no rules" : "No rules yet"}>
    <p>Open a decision, and add a rule for one of its options.</p>
    <Link to={paths.why} className={buttonStyle("primary")}>
      All decisions
    </Link>
  </EmptyState>
);

interface RowProps {
  rule: DecisionRule;
  /** Undefined while it is checked. */
  result: RuleResult | undefined;
  isDeleting: boolean;
  /** Undefined where nothing can be changed. */
  onDelete: (() => void) | undefined;
}

function Row({ rule, result, isDeleting, onDelete }: RowProps) {
  const words = describeRule(rule);
  return (
    <tr
      className="border-b border-line/60 hover:bg-panel max-lg:block max-lg:py-2"
      style={tintedStyle(rule.type)}
    >
      <td className={CELL}>
        <Link
          to={paths.scorecard}
          params={{ signature: rule.signature }}
          search={{ agent: rule.agent, option: rule.step }}
          data-row
          className="font-medium text-[var(--tint)] hover:underline max-lg:inline-flex max-lg:min-h-6 max-lg:items-center"
        >
          {words}
        </Link>
        {rule.note !== null && <span className="block break-words text-xs text-muted">{rule.note}</span>}
        <span className="block text-xs text-muted">
          by <Author person={rule.createdBy} />, <RelativeTime instant={rule.createdAt} />
        </span>
      </td>
      <td className={`${CELL} break-words text-muted`}>{rule.agent}</td>
      <td className={CELL}>{result && <Result result={result} />}</td>
      {onDelete && (
        <td className={CELL}>
          <Button aria-label={`Delete rule: ${words}`} disabled={isDeleting} onClick={onDelete}>
            Delete
          </Button>
        </td>
      )}
    </tr>
  );
}

/** Whether the rule holds, and how often its option was chosen. */
function Result({ result: { isKept, isTestable, decisions, chosen, traceId } }: { result: RuleResult }) {
  const counts = `${chosen.toLocaleString("en")} of ${decisions.toLocaleString("en")}`;
  if (isKept)
    return (
      <>
        <span className={isTestable ? "text-completed" : "text-muted"}>
          {isTestable ? "✓ kept" : "too few to tell"}
        </span>
        <span className="text-xs text-muted"> · {counts}</span>
      </>
    );
  return (
    <>
      <span className="font-medium text-error">✕ broken</span>
      <span className="text-xs text-muted"> · {counts}</span>
      {traceId !== null && (
        <Link
          to={paths.trace}
          params={{ id: traceId }}
          className="block text-xs text-accent hover:underline max-sm:min-h-6"
        >
          A trace that breaks it
        </Link>
      )}
    </>
  );
}
