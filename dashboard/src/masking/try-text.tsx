import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api } from "../client/api.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { SettingsSection } from "../settings/settings-layout.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import type { MaskingDraft } from "./masking-query.ts";

interface MaskedSample {
  masked: string;
  counts: Record<string, number>;
}

/** Shows what the draft makes of a text. It also tells which token an address has. */
export function TryText({ draft }: { draft: MaskingDraft }) {
  const isMember = useRoleRefusal("member") === undefined;
  const id = useId();
  const [text, setText] = useState("");
  const attempt = useMutation({
    mutationFn: () => api<MaskedSample>("/api/masking/test", { method: "POST", body: { text, ...draft } }),
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
            See what the level and rules above make of it. Nothing is stored. To find a person's traces, try
            the person's address and search for its token.
          </label>
          <textarea
            id={id}
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={`${inputStyle} py-2 font-mono text-sm`}
          />
          <Button type="submit" className="justify-self-start" disabled={text === "" || attempt.isPending}>
            Try
          </Button>
        </form>
      )}
      {attempt.error && <ErrorNotice error={attempt.error} />}
      <div role="status">
        {attempt.data && (
          <pre className="rounded-md border border-line bg-panel px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap">
            {attempt.data.masked}
          </pre>
        )}
      </div>
    </SettingsSection>
  );
}
