import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { healthQuery } from "../../agents/agents-queries.ts";
import { api } from "../../client/api.ts";
import { useIsReadOnly, useRoleRefusal } from "../../client/use-role.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { AlertRule, RuleFields, RuleKind } from "../model/alert-types.ts";
import { DeleteButton } from "../model/delete-button.tsx";
import { InlineSelect } from "../model/inline-select.tsx";
import { KIND_WORDS } from "../model/rule-words.ts";
import { useAlertChange } from "../model/use-alert-change.ts";
import { MuteMenu } from "./mute-menu.tsx";
import { defaultName, isComplete, type RuleDraft, toDraft, toFields } from "./rule-draft.ts";
import { RulePreviewPanel } from "./rule-preview-panel.tsx";
import { RuleSentence } from "./rule-sentence.tsx";
import { TellFields } from "./tell-fields.tsx";

interface RuleEditorProps {
  /** Undefined: a new one. */
  rule: AlertRule | undefined;
  /** With the id of the rule that is shown next. */
  onDone: (id: string | undefined) => void;
}

const KINDS: readonly RuleKind[] = [
  "failure_rate",
  "score_mean",
  "cost_per_run",
  "cost_per_day",
  "duration_p95",
  "drift",
  "decision_rule",
  "no_runs",
];
const SENSITIVITIES = ["low", "normal", "high"] as const;
const SENSITIVITY_WORDS = {
  low: "hardly any false alarm, and later",
  normal: "at most one false alarm a quarter",
  high: "sooner, with a false alarm now and then",
};

/** Edits a rule, and shows what it would have done. */
export function RuleEditor({ rule, onDone }: RuleEditorProps) {
  const { data } = useQuery(healthQuery(undefined));
  const isReadOnly = useIsReadOnly();
  const refusal = useRoleRefusal("member");
  const [changed, setChanged] = useState<Partial<RuleDraft>>({});
  const draft = { ...toDraft(rule, data?.agents[0]?.name ?? ""), ...changed };
  const change = (next: Partial<RuleDraft>) => setChanged((before) => ({ ...before, ...next }));
  const save = useAlertChange(
    (body: RuleFields) =>
      rule === undefined
        ? api("POST /api/alerts/rules", { body })
        : api("PATCH /api/alerts/rules/:id", { params: { id: rule.id }, body }),
    (saved) => {
      setChanged({});
      onDone(saved.id);
    },
  );
  const isChanged = rule === undefined || Object.keys(changed).length > 0;
  return (
    <Panel title={rule?.name ?? "New rule"} legend={rule && !isReadOnly && <MuteMenu rule={rule} />}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(toFields(draft));
        }}
      >
        <fieldset disabled={isReadOnly} className="grid grid-cols-[minmax(0,1fr)] gap-3 p-3">
          <div className="flex flex-wrap gap-2">
            {rule === undefined && (
              <InlineSelect
                label="Kind of rule"
                value={draft.kind}
                options={KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
                onChange={(value) => {
                  const kind = KINDS.find((one) => one === value);
                  if (kind) change({ kind, limit: "" });
                }}
              />
            )}
            <input
              aria-label="Name of the rule"
              placeholder={defaultName(draft)}
              maxLength={100}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
              className={`${inputStyle} min-w-48 flex-1`}
            />
          </div>
          <RuleSentence draft={draft} onChange={change} />
          {draft.kind === "failure_rate" && draft.isComparedWithPast && (
            <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <span aria-hidden="true">Sensitivity</span>
              <SegmentedControl
                label="Sensitivity"
                options={SENSITIVITIES}
                value={draft.sensitivity}
                onChange={(sensitivity) => change({ sensitivity })}
              />
              {SENSITIVITY_WORDS[draft.sensitivity]}
            </div>
          )}
          <TellFields draft={draft} onChange={change} />
        </fieldset>
        <div className="border-t border-line p-3">
          {refusal === undefined ? (
            <RulePreviewPanel draft={draft} isComplete={isComplete(draft)} />
          ) : (
            <RoleNote needed="member" act="Changing rules, and seeing what they would have done," />
          )}
        </div>
        {!isReadOnly && (
          <div className="flex flex-wrap items-center gap-2 border-t border-line p-3">
            <Button
              type="submit"
              kind="primary"
              disabled={save.isPending || !isChanged || !isComplete(draft)}
              title={isComplete(draft) ? undefined : "Choose an agent and a limit first"}
            >
              {rule ? "Save" : "Create the rule"}
            </Button>
            {rule === undefined ? (
              <Button onClick={() => onDone(undefined)}>Cancel</Button>
            ) : (
              <span className="ml-auto">
                <DeleteButton
                  what={`the rule ${rule.name}`}
                  consequence="Its incidents are deleted, too. This cannot be undone."
                  remove={() => api("DELETE /api/alerts/rules/:id", { params: { id: rule.id } })}
                  onDeleted={() => onDone(undefined)}
                />
              </span>
            )}
            {save.error && (
              <div className="basis-full">
                <ErrorNotice error={save.error} />
              </div>
            )}
          </div>
        )}
      </form>
    </Panel>
  );
}
