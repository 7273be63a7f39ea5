import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MAX_USD_PER_MILLION_TOKENS, type PriceRule } from "@whytrace/contract";
import { AuthForm } from "../account/auth-layout.tsx";
import { api } from "../client/api.ts";
import { Field } from "../ui/controls/field.tsx";
import { priceRulesQuery } from "./prices-query.ts";

interface PriceRuleFormProps {
  /** The rule to change, or the model of a new one. */
  rule: Partial<PriceRule>;
  onDone: () => void;
}

const numberOf = (text: string | undefined) => (text ? Number(text) : null);

/** Adds a price rule or changes one. */
export function PriceRuleForm({ rule, onDone }: PriceRuleFormProps) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: async (fields: Record<string, string>) => {
      const body = {
        model: fields.model ?? "",
        inputUsd: Number.parseFloat(fields.inputUsd ?? ""),
        outputUsd: Number.parseFloat(fields.outputUsd ?? ""),
        cacheReadUsd: numberOf(fields.cacheReadUsd),
        cacheWriteUsd: numberOf(fields.cacheWriteUsd),
        validFrom: fields.validFrom ? `${fields.validFrom}T00:00:00Z` : null,
      };
      const saved = await api("PUT /api/prices", { body });
      // A rule is identified by model and date. If one of them changed, this is another rule.
      if (rule.id !== undefined && rule.id !== saved.id)
        await api("DELETE /api/prices/:id", { params: { id: rule.id } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: priceRulesQuery.queryKey });
      onDone();
    },
  });
  return (
    <AuthForm action="Save price" isPending={save.isPending} error={save.error} onSubmit={save.mutate}>
      <Field
        label="Model"
        name="model"
        defaultValue={rule.model}
        placeholder="gpt-4o or our-*"
        hint="A name without date and provider, or the beginning of names and an asterisk"
        maxLength={200}
        required
      />
      <div className="grid grid-cols-2 gap-3">
        <PriceField label="Input" name="inputUsd" value={rule.inputUsd} required />
        <PriceField label="Output" name="outputUsd" value={rule.outputUsd} required />
        <PriceField label="Read from cache" name="cacheReadUsd" value={rule.cacheReadUsd} />
        <PriceField label="Written to cache" name="cacheWriteUsd" value={rule.cacheWriteUsd} />
      </div>
      <p className="text-xs text-muted">
        US dollars per million tokens. Without a price of their own, cached tokens cost what input costs.
      </p>
      <Field
        label="Valid from"
        name="validFrom"
        type="date"
        defaultValue={rule.validFrom?.slice(0, 10)}
        hint="UTC. Empty: always"
      />
    </AuthForm>
  );
}

interface PriceFieldProps {
  label: string;
  name: string;
  value: number | null | undefined;
  required?: boolean;
}

function PriceField({ label, name, value, required = false }: PriceFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      inputMode="decimal"
      step="any"
      min={0}
      max={MAX_USD_PER_MILLION_TOKENS}
      defaultValue={value ?? undefined}
      required={required}
    />
  );
}
