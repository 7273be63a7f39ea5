import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SituationKeyList } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../../client/api.ts";
import { isSample } from "../../client/base-path.ts";
import { INSIGHTS_KEY } from "../../client/insights-key.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { type FindingsSearch, findingsQuery, situationKeysQuery } from "./findings-query.ts";

interface SituationKeysFormProps {
  list: SituationKeyList;
  /** The list of findings behind the dialog. */
  search: FindingsSearch;
  onClose: () => void;
}

const MAX_KEYS = 3;

/** Picks suggested keys, and takes others by name. */
export function SituationKeysForm({
  list: { agent, keys: saved, suggestions },
  search,
  onClose,
}: SituationKeysFormProps) {
  const client = useQueryClient();
  const isReadOnly = useIsReadOnly();
  const [keys, setKeys] = useState<string[]>(saved);
  const [other, setOther] = useState("");
  const save = useMutation({
    mutationFn: (next: string[]) =>
      api("PUT /api/insights/situation-keys", { query: { agent }, body: { keys: next } }),
    onSuccess: async (stored) => {
      onClose();
      client.setQueryData(situationKeysQuery(agent).queryKey, { ...stored, suggestions });
      // The findings of one agent are computed when they are asked for; in the list of all agents they come later.
      await client
        .fetchQuery({ ...findingsQuery({ ...search, agent }), staleTime: 0 })
        .catch(() => undefined);
      await client.invalidateQueries({ queryKey: [INSIGHTS_KEY, "findings"] });
    },
  });
  const typed = other.trim();
  const named = typed === "" || keys.includes(typed) ? keys : [...keys, typed];
  const isFull = named.length >= MAX_KEYS;
  const toggle = (key: string) =>
    setKeys(keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]);
  const unsuggested = keys.filter((key) => suggestions.every((one) => one.key !== key));
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReadOnly) save.mutate(named);
      }}
    >
      <fieldset className="grid gap-1">
        <legend className="pb-1 font-medium">At most {MAX_KEYS} keys</legend>
        {suggestions.length === 0 && unsuggested.length === 0 && (
          <p className="text-muted">
            No suggestion: no key of metadata or tags has 2 to 12 values in most runs of this agent. Send, for
            example, metadata <code>{'{ "plan": "pro" }'}</code> or the tag <code>plan:pro</code> with each
            trace.
          </p>
        )}
        {unsuggested.map((key) => (
          <KeyChoice key={key} name={key} isChosen isDisabled={false} onToggle={() => toggle(key)} />
        ))}
        {suggestions.map(({ key, values, share }) => (
          <KeyChoice
            key={key}
            name={key}
            note={`${values} values, in ${formatPercent(share)} of the runs`}
            isChosen={keys.includes(key)}
            isDisabled={isFull && !keys.includes(key)}
            onToggle={() => toggle(key)}
          />
        ))}
      </fieldset>
      <Field
        label="Another key"
        hint="A key of the metadata of traces, or what stands before the colon of a tag"
        value={other}
        disabled={isFull && !named.includes(typed)}
        onChange={(event) => setOther(event.target.value)}
      />
      {save.error && <ErrorNotice error={save.error} />}
      <div className="flex gap-2">
        {!isReadOnly && (
          <Button type="submit" kind="primary" disabled={save.isPending || named.length > MAX_KEYS}>
            Save
          </Button>
        )}
        <Button onClick={onClose}>{isReadOnly ? "Close" : "Cancel"}</Button>
        <RoleNote needed="member" act="Choosing keys" />
        {isSample && <p className="self-center text-muted">The sample is read-only: nothing can be saved.</p>}
      </div>
    </form>
  );
}

interface KeyChoiceProps {
  name: string;
  note?: string;
  isChosen: boolean;
  isDisabled: boolean;
  onToggle: () => void;
}

function KeyChoice({ name, note = "", isChosen, isDisabled, onToggle }: KeyChoiceProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 has-disabled:opacity-50 max-sm:min-h-11">
      <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="ml-auto whitespace-nowrap text-xs text-muted">{note}</span>
    </label>
  );
}
