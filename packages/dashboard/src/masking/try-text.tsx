import { useMutation } from "@tanstack/react-query";
import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import { type FormEvent, useId, useState } from "react";
import { api } from "../client/api.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { SettingsSection } from "../settings/settings-layout.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import type { MaskingDraft } from "./masking-query.ts";

/** Rules and levels treat fields differently. */
const FIELDS: readonly { value: MaskingField; label: string }[] = [
  { value: "input", label: "input" },
  { value: "output", label: "output" },
  { value: "metadata", label: "metadata" },
  { value: "reasoning", label: "reasoning" },
  { value: "context", label: "context of a decision" },
  { value: "chosen", label: "option of a decision" },
  { value: "events", label: "events" },
  { value: "names", label: "names" },
  { value: "errors", label: "errors" },
  { value: "tags", label: "tags" },
  { value: "session", label: "session" },
  { value: "comments", label: "comments" },
];

/** Shows what the draft makes of a text. It also tells which token an address has. */
export function TryText({ draft }: { draft: MaskingDraft }) {
  const isMember = useRoleRefusal("member") === undefined;
  const id = useId();
  const [text, setText] = useState("");
  const [source, setSource] = useState<string>("input");
  const attempt = useMutation({
    mutationFn: () => api("POST /api/masking/test", { body: { text, source, ...draft } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <SettingsSection title="Try a text">
      <RoleNote needed="member" act="Trying a text" />
      {isMember && (
        <form className="grid gap-2" onSubmit={submit}>
          <label htmlFor={id} className="text-muted">
            See what the level and rules above make of a text, or of JSON, in a field. Nothing is stored. To
            find a person's traces, try the person's address and search for its token.
          </label>
          <textarea
            id={id}
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={`${inputStyle} py-2 font-mono text-sm`}
          />
          <div className="flex flex-wrap items-end gap-3">
            <SelectField
              label="Where"
              value={source}
              onChange={(event) => setSource(event.target.value)}
              options={FIELDS}
            />
            <Button type="submit" disabled={text === "" || attempt.isPending}>
              Try
            </Button>
          </div>
        </form>
      )}
      {attempt.error && <ErrorNotice error={attempt.error} />}
      <div role="status">
        {attempt.data && (
          <pre className="rounded-md border border-line bg-panel px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap">
            {typeof attempt.data.masked === "string"
              ? attempt.data.masked
              : JSON.stringify(attempt.data.masked)}
          </pre>
        )}
      </div>
    </SettingsSection>
  );
}
