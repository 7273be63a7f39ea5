import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import {
  type ApiKey,
  includesRole,
  MAX_API_KEYS_PER_MEMBER,
  MAX_API_KEYS_PER_WORKSPACE,
} from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { useUser } from "../client/session.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { Author } from "../shell/author.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Tag } from "../ui/badges.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { apiKeysQuery } from "./api-keys-query.ts";
import { AskFromEditor } from "./ask-from-editor.tsx";
import { CreateApiKey } from "./create-api-key.tsx";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const apiKeysPage = createLazyRoute("/signed-in/settings/api-keys")({ component: ApiKeysPage });

function ApiKeysPage() {
  const refusal = useRoleRefusal("member");
  return (
    <SettingsLayout>
      {refusal === undefined ? (
        <ApiKeys />
      ) : (
        <SettingsSection title="API keys">
          <p className="text-muted">Programs send or read traces with an API key.</p>
          <RoleNote needed="member" act="Seeing and creating keys" />
        </SettingsSection>
      )}
    </SettingsLayout>
  );
}

/** Why no other key can be created; undefined if one can. Keys of people who left count for the workspace alone. */
function fullBecause(own: number, all: number): string | undefined {
  if (own >= MAX_API_KEYS_PER_MEMBER) return "Limit reached. Revoke a key of yours to create another.";
  if (all >= MAX_API_KEYS_PER_WORKSPACE)
    return `The workspace has ${MAX_API_KEYS_PER_WORKSPACE} keys. Revoke one to create another.`;
  return undefined;
}

function ApiKeys() {
  const { id: userId } = useUser();
  const { role } = useWorkspace();
  const keys = useQuery(apiKeysQuery);
  const [dialog, setDialog] = useState<"create" | ApiKey | null>(null);
  const all = keys.data?.keys ?? [];
  const isOwn = ({ createdBy }: ApiKey) => createdBy?.id === userId;
  const own = all.filter(isOwn).length;
  const full = fullBecause(own, all.length);
  return (
    <>
      <SettingsSection title="API keys">
        <p className="text-muted">
          Programs send or read traces with an API key.{" "}
          {keys.data && `${own} of your ${MAX_API_KEYS_PER_MEMBER} keys in use.`}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            kind="primary"
            disabled={full !== undefined}
            aria-describedby="keys-full"
            onClick={() => setDialog("create")}
          >
            Create API key
          </Button>
          <span id="keys-full" className="text-muted">
            {full}
          </span>
        </div>
        <QueryResult query={keys} skeleton={<SkeletonList count={3} />}>
          {(data) =>
            data.keys.length === 0 ? (
              <p className="rounded-md border border-line px-3 py-3 text-muted">No keys yet.</p>
            ) : (
              <ul className="rounded-md border border-line">
                {data.keys.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    onRevoke={isOwn(key) || includesRole(role, "admin") ? () => setDialog(key) : undefined}
                  />
                ))}
              </ul>
            )
          }
        </QueryResult>
      </SettingsSection>
      {/* Below a list whose length is not known before it is there. */}
      {!keys.isPending && <AskFromEditor />}
      <Dialog title="Create an API key" isOpen={dialog === "create"} onClose={() => setDialog(null)}>
        <CreateApiKey onDone={() => setDialog(null)} />
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
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  /** Undefined if only its maker, an admin or an owner may revoke it. */
  onRevoke: (() => void) | undefined;
}

function KeyRow({ apiKey, onRevoke }: KeyRowProps) {
  const { name, prefix, scope, createdBy, createdAt, expiresAt, isExpired, lastUsedAt } = apiKey;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line px-3 py-2 last:border-0">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 max-w-full break-words font-medium">{name}</span>
          <Tag>{scope}</Tag>
          <code className="font-mono text-xs text-muted">{prefix}…</code>
        </div>
        <p className="text-xs text-muted">
          created by <Author person={createdBy} /> <RelativeTime instant={createdAt} />,{" "}
          {lastUsedAt ? (
            <>
              last used <RelativeTime instant={lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
          {expiresAt && (
            <>
              ,{" "}
              <span className={isExpired ? "font-medium text-error" : ""}>
                {isExpired ? "expired" : "expires"} <RelativeTime instant={expiresAt} />
              </span>
            </>
          )}
        </p>
      </div>
      <Button
        kind="danger"
        disabled={!onRevoke}
        title={
          onRevoke ? undefined : "Only an admin, an owner or the member who created this key can revoke it."
        }
        onClick={onRevoke}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </Button>
    </li>
  );
}

const LOSES = {
  send: "send traces",
  read: "read your traces",
  review: "read your traces or write verdicts",
};

function RevokeKey({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api("DELETE /api/keys/:id", { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
      onDone();
    },
  });
  return (
    <>
      <p>
        Programs that use <strong>{apiKey.name}</strong> ({apiKey.prefix}…) can no longer{" "}
        {LOSES[apiKey.scope]}. This cannot be undone.
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
