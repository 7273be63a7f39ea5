import type { Condition, ConditionValue } from "@whytrace/contract";
import { type ReactNode, useId, useState } from "react";
import { parseScoreValue } from "../scores/parse-score-value.ts";
import { MISSING_WORDS, OP_WORDS, PLACE_WORDS, SOURCE_WORDS, valueText } from "./condition-words.ts";

type Of<Kind extends Condition["kind"]> = Extract<Condition, { kind: Kind }>;

interface ConditionFieldsProps {
  condition: Condition;
  /** Names of scores that came. */
  names: readonly string[];
  onChange: (condition: Condition) => void;
}

/** A condition as a sentence with fields in it. */
export function ConditionFields({ condition, names, onChange }: ConditionFieldsProps) {
  switch (condition.kind) {
    case "status":
      return (
        <span>
          Status is <b className="font-semibold">ERROR</b>
        </span>
      );
    case "feedback":
      return (
        <span>
          A user says <b className="font-semibold">false</b>, under any name
        </span>
      );
    case "evaluator":
      return (
        <span>
          A judge or a check says <b className="font-semibold">false</b> or{" "}
          <b className="font-semibold">fail</b>, under any name
        </span>
      );
    case "score":
      return <ScoreFields condition={condition} names={names} onChange={onChange} />;
    case "tag":
      return (
        <>
          Tag is <Text label="Tag" value={condition.is} onChange={(is) => onChange({ ...condition, is })} />
        </>
      );
    case "metadata":
      return <MetadataFields condition={condition} onChange={onChange} />;
    case "cost":
      return (
        <>
          Cost is above $
          <NumberField
            label="US dollars"
            value={condition.above}
            onChange={(above) => onChange({ ...condition, above })}
          />
        </>
      );
    case "duration":
      return (
        <>
          Takes longer than
          <NumberField
            label="Seconds"
            value={condition.aboveMs / 1_000}
            onChange={(seconds) => onChange({ ...condition, aboveMs: Math.round(seconds * 1_000) })}
          />
          seconds
        </>
      );
    case "event":
      return (
        <>
          An event named{" "}
          <Text
            label="Name of the event"
            value={condition.name ?? ""}
            onChange={(name) => onChange(eventOf(condition.type, name))}
          />
          of type
          <Text
            label="Type of the event"
            placeholder="any"
            value={condition.type ?? ""}
            onChange={(type) => onChange(eventOf(type, condition.name))}
          />
        </>
      );
    case "decision":
      return (
        <>
          A decision chose{" "}
          <Text
            label="Option"
            value={condition.option ?? ""}
            onChange={(option) => onChange(decisionOf(condition.type, option))}
          />
          of type
          <Text
            label="Type of the decision"
            placeholder="any"
            value={condition.type ?? ""}
            onChange={(type) => onChange(decisionOf(type, condition.option))}
          />
        </>
      );
  }
}

/** An empty field is left out. */
const eventOf = (type = "", name = ""): Condition => ({
  kind: "event",
  ...(type && { type }),
  ...(name && { name }),
});
const decisionOf = (type = "", option = ""): Condition => ({
  kind: "decision",
  ...(type && { type }),
  ...(option && { option }),
});

const ANYONE = "";
const ANYWHERE = "";

function ScoreFields({
  condition,
  names,
  onChange,
}: Omit<ConditionFieldsProps, "condition"> & { condition: Of<"score"> }) {
  const { name, op, value, source, at, missing = "good" } = condition;
  return (
    <>
      Score
      <Text
        label="Name of the score"
        value={name}
        suggestions={names}
        onChange={(next) => onChange({ ...condition, name: next })}
      />
      by
      <Select
        label="Source"
        value={source ?? ANYONE}
        options={{ [ANYONE]: "anyone", ...SOURCE_WORDS }}
        onChange={(next) => {
          const { source: _, ...rest } = condition;
          onChange(next === ANYONE ? rest : { ...rest, source: next });
        }}
      />
      on
      <Select
        label="Place"
        value={at ?? ANYWHERE}
        options={{ [ANYWHERE]: "any place", ...PLACE_WORDS }}
        onChange={(next) => {
          const { at: _, ...rest } = condition;
          onChange(next === ANYWHERE ? rest : { ...rest, at: next });
        }}
      />
      <Comparison op={op} value={value} onChange={(next) => onChange({ ...condition, ...next })} />
      <span className="text-muted">no answer means</span>
      <Select
        label="No answer means"
        value={missing}
        options={MISSING_WORDS}
        onChange={(next) => onChange({ ...condition, missing: next })}
      />
    </>
  );
}

const METADATA_MISSING = { good: MISSING_WORDS.good, unknown: MISSING_WORDS.unknown } as const;

function MetadataFields({
  condition,
  onChange,
}: {
  condition: Of<"metadata">;
  onChange: (condition: Condition) => void;
}) {
  const { key, op, value, missing } = condition;
  return (
    <>
      Metadata
      <Text label="Key" value={key} onChange={(next) => onChange({ ...condition, key: next })} />
      <Comparison op={op} value={value} onChange={(next) => onChange({ ...condition, ...next })} />
      <span className="text-muted">missing means</span>
      <Select
        label="Missing means"
        value={missing === "unknown" ? "unknown" : "good"}
        options={METADATA_MISSING}
        onChange={(next) => onChange({ ...condition, missing: next })}
      />
    </>
  );
}

type Compared = Pick<Of<"score">, "op" | "value">;

function Comparison({ op, value, onChange }: Compared & { onChange: (compared: Compared) => void }) {
  const change = (nextOp: Compared["op"], text: string) =>
    onChange({ op: nextOp, value: parseValue(nextOp, text) });
  return (
    <>
      <Select
        label="Comparison"
        value={op}
        options={OP_WORDS}
        onChange={(next) => change(next, valueText(value))}
      />
      <Text
        // Another comparison reads the same text anew.
        key={op}
        label={op === "in" ? "Values, separated by commas" : "Value"}
        value={valueText(value)}
        onChange={(text) => change(op, text)}
      />
    </>
  );
}

/** Nothing typed is an empty text, which is not complete. */
function parseValue(op: Compared["op"], text: string): ConditionValue | ConditionValue[] {
  if (op === "in") return text.split(",").flatMap((one) => parseScoreValue(one) ?? []);
  return parseScoreValue(text) ?? "";
}

const FIELD =
  "min-h-7 min-w-0 max-w-full rounded-md border border-control bg-bg px-2 text-sm font-medium text-text max-sm:min-h-11";

interface TextProps {
  label: string;
  value: string;
  placeholder?: string;
  suggestions?: readonly string[];
  onChange: (text: string) => void;
}

/** Keeps what is typed as it is: `0.` is on the way to a number. */
function Text({ label, value, placeholder, suggestions, onChange }: TextProps) {
  const [text, setText] = useState(value);
  const listId = useId();
  return (
    <>
      <input
        aria-label={label}
        value={text}
        placeholder={placeholder ?? label}
        maxLength={200}
        list={suggestions ? listId : undefined}
        className={`${FIELD} w-32 placeholder:font-normal placeholder:text-muted`}
        onChange={(event) => {
          setText(event.target.value);
          onChange(event.target.value);
        }}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <input
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      aria-label={label}
      defaultValue={value}
      className={`${FIELD} w-24`}
      onChange={({ target }) => {
        if (target.value !== "" && target.valueAsNumber >= 0) onChange(target.valueAsNumber);
      }}
    />
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: Readonly<Record<T, ReactNode>>;
  onChange: (value: T) => void;
}

function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  const names = Object.keys(options) as T[];
  return (
    <select
      aria-label={label}
      value={value}
      className={FIELD}
      onChange={(event) => {
        const next = names.find((name) => name === event.target.value);
        if (next !== undefined) onChange(next);
      }}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {options[name]}
        </option>
      ))}
    </select>
  );
}
