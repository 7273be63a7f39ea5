import type { MaskedMatches, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Button } from "../ui/controls/button.tsx";
import { matchesSince, ruleMatches } from "./matches-words.ts";
import { ruleWords } from "./rule-words.ts";

interface RuleListProps {
  rules: readonly MaskingRule[];
  /** Undefined while they are loaded. */
  matches: MaskedMatches | undefined;
  isChangeable: boolean;
  onEdit: (index: number) => void;
  onChange: (rules: MaskingRule[]) => void;
}

/** The rules in their order: where several match, the first one decides. */
export function RuleList({ rules, matches, isChangeable, onEdit, onChange }: RuleListProps) {
  if (rules.length === 0)
    return (
      <p className="rounded-md border border-line px-3 py-3 text-muted">
        No rules of your own. The level alone decides. Add one for order numbers, customers or a field that
        must not be stored.
      </p>
    );
  return (
    <ol className="rounded-md border border-line">
      {rules.map((rule, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: rules may be equal, and only their order tells them apart
          key={`${index} ${rule.name}`}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0"
        >
          <span className="min-w-0 flex-1 basis-56">
            <span className="block font-medium break-words">
              {rule.name}
              {rule.isEnabled === false && <span className="text-muted"> (off)</span>}
            </span>
            <span className="block text-xs break-words text-muted">{ruleWords(rule)}</span>
            {matches && rule.id !== undefined && rule.method !== "keep" && (
              <span className="block text-xs text-muted tabular-nums">
                {ruleMatches(matches.rules[rule.id] ?? 0)} {matchesSince(matches.since, Date.now())}
              </span>
            )}
          </span>
          {isChangeable && (
            <span className="flex flex-wrap gap-2">
              <Button
                disabled={index === 0}
                aria-label={`Move ${rule.name} up`}
                onClick={() => onChange(rules.toSpliced(index, 1).toSpliced(index - 1, 0, rule))}
              >
                Up
              </Button>
              <Button
                aria-label={`Turn ${rule.name} ${rule.isEnabled === false ? "on" : "off"}`}
                onClick={() => onChange(rules.with(index, { ...rule, isEnabled: rule.isEnabled === false }))}
              >
                {rule.isEnabled === false ? "Turn on" : "Turn off"}
              </Button>
              <Button aria-label={`Change ${rule.name}`} onClick={() => onEdit(index)}>
                Change
              </Button>
              <Button
                kind="danger"
                aria-label={`Delete ${rule.name}`}
                onClick={() => onChange(rules.toSpliced(index, 1))}
              >
                Delete
              </Button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
