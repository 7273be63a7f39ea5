import type { MaskingMethod, MaskingRule, MaskingType } from "@whytrace/contract/schemas/masking/settings";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { METHODS, TYPES } from "./rule-words.ts";

interface RuleFormProps {
  rule: Partial<MaskingRule>;
  onSave: (rule: MaskingRule) => void;
  onCancel: () => void;
}

/** Adds a rule to the draft or changes one. The server checks it when the draft is saved. */
export function RuleForm({ rule, onSave, onCancel }: RuleFormProps) {
  const [type, setType] = useState<MaskingType>(rule.type ?? "pattern");
  const [method, setMethod] = useState<MaskingMethod>(rule.method ?? "replace");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const keys = text("keys")
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== "");
    onSave({
      ...(rule.id !== undefined && { id: rule.id }),
      name: text("name"),
      isEnabled: rule.isEnabled ?? true,
      type,
      method,
      source: text("source"),
      ...(type === "pattern" && { pattern: String(fields.get("pattern") ?? "") }),
      ...(type === "key" && keys.length > 0 && { keys }),
      ...(method === "replace" && text("text") !== "" && { text: text("text") }),
    });
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field label="Name" name="name" defaultValue={rule.name} maxLength={100} required />
      {/* Native selects keep the keyboard of the system. */}
      <div
        className="grid grid-cols-2 gap-3 max-sm:grid-cols-1"
        onChange={(event) => {
          if (!(event.target instanceof HTMLSelectElement)) return;
          const { name, value } = event.target;
          const nextType = TYPES.find((one) => one.value === value)?.value;
          const nextMethod = METHODS.find((one) => one.value === value)?.value;
          if (name === "type" && nextType) setType(nextType);
          if (name === "method" && nextMethod) setMethod(nextMethod);
        }}
      >
        <SelectField label="What" name="type" defaultValue={type} options={TYPES} />
        <SelectField label="Becomes" name="method" defaultValue={method} options={METHODS} />
      </div>
      {type === "pattern" && (
        <Field
          label="Pattern"
          name="pattern"
          defaultValue={rule.pattern}
          placeholder="ORD-\d{6}"
          hint="A regular expression of RE2's syntax, without lookaround"
          maxLength={500}
          required
        />
      )}
      {type === "key" && (
        <Field
          label="Keys"
          name="keys"
          defaultValue={rule.keys?.join(", ")}
          hint="Separated by commas. Empty: names of secrets, such as api_key and password"
        />
      )}
      {method === "replace" && (
        <Field
          label="Text"
          name="text"
          defaultValue={rule.text}
          hint="Empty: the word for what was there, such as [email]"
          maxLength={100}
        />
      )}
      <Field
        label="Where"
        name="source"
        defaultValue={rule.source ?? "*"}
        hint="* is everywhere. A field: input, output, metadata, tags… A path: input.customer.* A role: messages:user"
        maxLength={200}
        required
      />
      <div className="flex gap-2">
        <Button kind="primary" type="submit">
          {rule.name === undefined ? "Add rule" : "Change rule"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
