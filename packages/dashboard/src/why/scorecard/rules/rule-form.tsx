import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DecisionRule, Scorecard, ScorecardOption } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../../../client/api.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field, inputStyle } from "../../../ui/controls/field.tsx";
import { SegmentedControl } from "../../../ui/controls/segmented-control.tsx";
import { ErrorNotice, Notice } from "../../../ui/notice.tsx";
import { rulesQuery } from "../../rules/rules-query.ts";

/** By how many points the share may change, unless the user says otherwise. */
const TOLERANCE_POINTS = 10;

const LABELS = { share: "Limit how often", never: "Forbid" } as const;

interface RuleFormProps {
  card: Scorecard;
  /** The option that is offered first. */
  option: ScorecardOption | undefined;
}

/** Adds a rule for an option of the decision. The limits lie around its share of today. */
export function RuleForm({ card, option: first }: RuleFormProps) {
  const client = useQueryClient();
  const [step, setStep] = useState(first?.step ?? "");
  const [agent, setAgent] = useState(card.agent ?? card.agents[0] ?? "");
  const [kind, setKind] = useState<DecisionRule["kind"]>("share");
  const option = card.options.find((one) => one.step === step);
  const points = Math.round(((option?.rate.decisions ?? 0) / Math.max(1, card.decisions)) * 100);
  const add = useMutation({
    mutationFn: (form: FormData) =>
      api("POST /api/insights/rules", {
        body: {
          agent,
          signature: card.signature,
          type: card.type,
          step,
          option: option?.name ?? "",
          kind,
          ...(kind === "share" && {
            minShare: Number(form.get("min")) / 100,
            maxShare: Number(form.get("max")) / 100,
          }),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesQuery.queryKey }),
  });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(new FormData(event.currentTarget));
      }}
    >
      {card.agents.length > 1 && card.agent === null && (
        <Choice
          label="Agent"
          value={agent}
          options={card.agents.map((name) => [name, name])}
          onChange={setAgent}
        />
      )}
      <Choice
        label="Option"
        value={step}
        options={card.options.map((one) => [one.step, one.name])}
        onChange={setStep}
      />
      <SegmentedControl
        label="Rule"
        options={[LABELS.share, LABELS.never]}
        value={LABELS[kind]}
        onChange={(label) => setKind(label === LABELS.never ? "never" : "share")}
      />
      {kind === "share" ? (
        // The key resets the limits when another option is picked.
        <div key={step} className="grid grid-cols-2 gap-3">
          <Limit label="At least, in %" name="min" value={Math.max(0, points - TOLERANCE_POINTS)} />
          <Limit label="At most, in %" name="max" value={Math.min(100, points + TOLERANCE_POINTS)} />
        </div>
      ) : (
        <p>The rule is broken as soon as one run chooses {option?.name}.</p>
      )}
      {add.error && <ErrorNotice error={add.error} />}
      {add.isSuccess && <Notice tone="completed">Saved</Notice>}
      <Button type="submit" kind="primary" disabled={add.isPending} className="justify-self-start">
        Add rule
      </Button>
    </form>
  );
}

function Limit({ label, name, value }: { label: string; name: string; value: number }) {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      min={0}
      max={100}
      step="any"
      required
      defaultValue={value}
    />
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label className="grid gap-1.5 font-medium">
      {label}
      <select className={inputStyle} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
