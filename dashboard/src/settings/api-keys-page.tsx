import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute } from "@tanstack/react-router";
import { type ApiKey, type CreatedApiKey, MAX_API_KEYS_PER_USER } from "@whytrace/contract";
import { useState } from "react";
import { AuthForm } from "../account/auth-layout.tsx";
import { api } from "../client/api.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { apiKeysQuery } from "./api-keys-query.ts";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.apiKeys,
  component: ApiKeysPage,
});

function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery);
  const [dialog, setDialog] = useState<"create" | ApiKey | null>(null);
  const count = keys.data?.keys.length ?? 0;
  const isFull = count >= MAX_API_KEYS_PER_USER;
  return (
    <SettingsLayout>
      <SettingsSection title="API keys">
        <p className="text-muted">
          Agents send traces with an API key. A key cannot read data.{" "}
          {keys.data && `${count} of ${MAX_API_KEYS_PER_USER} keys in use.`}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            kind="primary"
            disabled={isFull}
            aria-describedby="keys-full"
            onClick={() => setDialog("create")}
          >
            Create API key
          </Button>
          <span id="keys-full" className="text-muted">
            {isFull && "Limit reached. Revoke a key to create another."}
          </span>
        </div>
        <QueryResult query={keys} skeleton={<SkeletonList count={3} />}>
          {(data) =>
            data.keys.length === 0 ? (
              <p className="rounded-md border border-line px-3 py-3 text-muted">No keys yet.</p>
            ) : (
              <ul className="rounded-md border border-line">
                {data.keys.map((key) => (
                  <li
                    key={key.id}
                    className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 last:border-0"
                  >
                    <span className="min-w-0 break-words font-medium">{key.name}</span>
                    <code className="font-mono text-xs text-muted">{key.prefix}…</code>
                    <span className="text-muted max-md:flex-1 md:ml-auto">
                      created <RelativeTime instant={key.createdAt} />,{" "}
                      {key.lastUsedAt ? (
                        <>
                          last used <RelativeTime instant={key.lastUsedAt} />
                        </>
                      ) : (
                        "never used"
                      )}
                    </span>
                    <Button kind="danger" onClick={() => setDialog(key)} aria-label={`Revoke ${key.name}`}>
                      Revoke
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
      </SettingsSection>
      <Dialog title="Create an API key" isOpen={dialog === "create"} onClose={() => setDialog(null)}>
        <CreateKey onDone={() => setDialog(null)} />
      </Dialog>
      <Dialog
        title="Revoke this key?"
        isOpen={dialog !== null && dialog !== "create"}
        onClose={() => setDialog(null)}
      >
        {dialog !== null && dialog !== "create" && (
          <RevokeKey apiKey={dialog} onDone={() => setDialog(null)} />
        )}
      </Dialog>
    </SettingsLayout>
  );
}

function CreateKey({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      api<CreatedApiKey>("/api/keys", { method: "POST", body: fields }),
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

function RevokeKey({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api(`/api/keys/${apiKey.id}`, { method: "DELETE" }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
      onDone();
    },
  });
  return (
    <>
      <p>
        Agents that use <strong>{apiKey.name}</strong> ({apiKey.prefix}…) can no longer send traces. This
        cannot be undone.
      </p>
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke key
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
