import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isSample } from "../../client/base-path.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { MyMails } from "../../settings/my-mails.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { AlertRule } from "../model/alert-types.ts";
import { rulesQuery } from "../model/alerts-queries.ts";
import type { AlertsSearch } from "../model/alerts-search.ts";
import { ruleLimit, ruleLine, ruleValue } from "../model/rule-words.ts";
import { AlertState } from "./alert-state.tsx";
import { RuleEditor } from "./rule-editor.tsx";

interface RulesViewProps {
  search: AlertsSearch;
  onShow: (search: AlertsSearch) => void;
}

const NEW = "new";

/** All rules, and the one that is open. */
export function RulesView({ search, onShow }: RulesViewProps) {
  const rules = useQuery(rulesQuery);
  const isReadOnly = useIsReadOnly();
  return (
    <QueryResult query={rules} skeleton={<SkeletonRows count={5} height="h-14" />}>
      {({ rules: all }) => {
        const opened = search.rule === NEW ? undefined : (all.find(({ id }) => id === search.rule) ?? all[0]);
        const isEditing = opened !== undefined || search.rule === NEW;
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 max-lg:order-1">
              <Panel
                title="Rules"
                legend={!isReadOnly && <Button onClick={() => onShow({ rule: NEW })}>New rule</Button>}
              >
                {all.length === 0 ? (
                  <p className="p-3 text-muted">
                    No rule yet. A rule watches a figure of an agent every minute: how often runs are bad,
                    what they cost, how long they take, or that they come at all.
                  </p>
                ) : (
                  <ul>
                    {all.map((rule) => (
                      <RuleRow key={rule.id} rule={rule} isOpened={rule.id === opened?.id} />
                    ))}
                  </ul>
                )}
              </Panel>
              <Panel title="Without any rule">
                <div className="grid gap-3 p-3">
                  <p>
                    A <b className="font-semibold">new</b> or <b className="font-semibold">regressed</b> issue
                    goes by mail to members who want it, and to channels that take it. At most 3 in 10
                    minutes, then a digest.
                  </p>
                  {!isSample && <MyMails />}
                </div>
              </Panel>
            </div>
            {isEditing && (
              <RuleEditor
                key={opened?.id ?? NEW}
                rule={opened}
                onDone={(id) => onShow(id === undefined ? {} : { rule: id })}
              />
            )}
          </div>
        );
      }}
    </QueryResult>
  );
}

function RuleRow({ rule, isOpened }: { rule: AlertRule; isOpened: boolean }) {
  const { id, name, kind, state, since, reason, value, mutedUntil } = rule;
  return (
    <li
      aria-current={isOpened || undefined}
      className="relative grid grid-cols-[minmax(0,1fr)_8rem_6.5rem] items-center gap-x-3 border-b border-line/60 px-3 py-2 last:border-0 hover:bg-panel focus-within:shadow-[inset_3px_0_var(--color-accent)] aria-[current=true]:bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] max-sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="min-w-0 max-sm:col-span-2">
        <Link
          to={paths.alerts}
          search={{ rule: id }}
          resetScroll={false}
          className="font-semibold after:absolute after:inset-0 focus-visible:outline-none"
        >
          {name}
        </Link>
        <p className="text-xs text-muted">{ruleLine(rule)}</p>
      </div>
      <div className="min-w-0 text-xs">
        <AlertState state={state} />
        <p className="text-muted">
          {mutedUntil !== null ? (
            <>
              muted, ends <RelativeTime instant={mutedUntil} />
            </>
          ) : state === "no_data" && reason !== null ? (
            reason
          ) : (
            since !== null && (
              <>
                since <RelativeTime instant={since} />
              </>
            )
          )}
        </p>
      </div>
      <span className="text-right tabular-nums">
        <b className="font-semibold">{ruleValue(kind, value)}</b>{" "}
        <span className="text-muted">{ruleLimit(rule)}</span>
      </span>
    </li>
  );
}
