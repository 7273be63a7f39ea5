import { useMutation, useQueryClient } from "@tanstack/react-query";
import { API_KEY_SCOPES, type ApiKeyScope } from "@whytrace/contract";
import { AuthForm } from "../account/auth-layout.tsx";
import { api } from "../client/api.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { RadioList } from "../ui/controls/radio-list.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { Notice } from "../ui/notice.tsx";
import { apiKeysQuery } from "./api-keys-query.ts";

const SCOPES: readonly { value: ApiKeyScope; label: string; hint: string }[] = [
  { value: "send", label: "Send", hint: "For agents: stores traces and reads nothing" },
  { value: "read", label: "Read", hint: "For scripts and reports: reads all your traces" },
  { value: "review", label: "Review", hint: "Reads all your traces and writes verdicts" },
];
const DAYS = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];
const DAY_MS = 86_400_000;

/** The form, and then the new key. */
export function CreateApiKey({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: ({ name = "", scope, days }: Record<string, string>) =>
      api("POST /api/keys", {
        body: {
          name,
          scope: API_KEY_SCOPES.find((known) => known === scope),
          expiresAt: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
  if (!create.data)
    return (
      <AuthForm
        action="Create key"
        isPending={create.isPending}
        error={create.error}
        onSubmit={create.mutate}
      >
        <Field
          label="Name"
          name="name"
          placeholder="production"
          maxLength={200}
          hint="Helps you tell your keys apart"
          required
        />
        <RadioList label="The key may" name="scope" options={SCOPES} />
        <SelectField label="Expires" name="days" options={DAYS} />
      </AuthForm>
    );
  return (
    <>
      <Notice tone="retry">Copy your key now. You won't be able to see it again.</Notice>
      <code className="break-all rounded-md border border-line bg-panel p-3 font-mono text-sm">
        {create.data.key}
      </code>
      <div className="flex gap-2">
        <CopyButton text={create.data.key} label="Copy key" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </>
  );
}
