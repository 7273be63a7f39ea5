import { useQuery } from "@tanstack/react-query";
import type { Scorecard } from "@whytrace/contract";
import { Author } from "../../../shell/author.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { ErrorNotice } from "../../../ui/notice.tsx";
import { describeRule } from "../../rules/describe-rule.ts";
import { rulesQuery } from "../../rules/rules-query.ts";
import { useDeleteRule } from "../../rules/use-delete-rule.ts";

/** The rules of this decision. */
export function RuleList({ card: { signature, agents } }: { card: Scorecard }) {
  const { data, error } = useQuery(rulesQuery);
  const remove = useDeleteRule();
  const failure = error ?? remove.error;
  const rules = data?.rules.filter((rule) => rule.signature === signature) ?? [];
  return (
    <>
      {failure && <ErrorNotice error={failure} />}
      {rules.length > 0 && (
        <ul aria-label="Rules of this decision" className="rounded-md border border-line">
          {rules.map((rule) => (
            <li
              key={rule.id}
              className="flex items-center gap-3 border-t border-line/60 px-3 py-1.5 first:border-t-0"
            >
              <span className="min-w-0 flex-1">
                {describeRule(rule)}
                <span className="block text-xs text-muted">
                  {agents.length > 1 && `${rule.agent}, `}by <Author person={rule.createdBy} />
                </span>
              </span>
              <Button
                aria-label={`Delete rule: ${describeRule(rule)}`}
                disabled={remove.isPending}
                onClick={() => remove.mutate(rule.id)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
