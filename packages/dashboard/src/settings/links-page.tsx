import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, Link } from "@tanstack/react-router";
import { includesRole, type Share } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { useUser } from "../client/session.ts";
import { sharesQuery } from "../client/shares-query.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { paths } from "../paths.ts";
import { Author } from "../shell/author.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Tag } from "../ui/badges.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const linksPage = createLazyRoute("/signed-in/settings/links")({ component: LinksPage });

function LinksPage() {
  const refusal = useRoleRefusal("member");
  return (
    <SettingsLayout>
      <SettingsSection title="Links">
        <p className="text-muted">
          Everybody who has one of these links can read its trace. To make one, choose Share on the page of a
          trace.
        </p>
        {refusal === undefined ? <Links /> : <RoleNote needed="member" act="Seeing and making links" />}
      </SettingsSection>
    </SettingsLayout>
  );
}

function Links() {
  const { id: userId } = useUser();
  const { role } = useWorkspace();
  const shares = useQuery(sharesQuery);
  const [revoked, setRevoked] = useState<Share | null>(null);
  const mayRevoke = ({ createdBy }: Share) => createdBy?.id === userId || includesRole(role, "admin");
  return (
    <>
      <QueryResult query={shares} skeleton={<SkeletonList count={3} />}>
        {(data) =>
          data.shares.length === 0 ? (
            <p className="rounded-md border border-line px-3 py-3 text-muted">No links yet.</p>
          ) : (
            <ul className="rounded-md border border-line">
              {data.shares.map((share) => (
                <ShareRow
                  key={share.id}
                  share={share}
                  onRevoke={mayRevoke(share) ? () => setRevoked(share) : undefined}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <Dialog title="Revoke this link?" isOpen={revoked !== null} onClose={() => setRevoked(null)}>
        {revoked && <RevokeShare share={revoked} onDone={() => setRevoked(null)} />}
      </Dialog>
    </>
  );
}

interface ShareRowProps {
  share: Share;
  /** Undefined if only its maker, an admin or an owner may revoke it. */
  onRevoke: (() => void) | undefined;
}

function ShareRow({ share, onRevoke }: ShareRowProps) {
  const {
    traceId,
    traceName,
    hasPayloads,
    hasWhy,
    createdBy,
    createdAt,
    expiresAt,
    isExpired,
    openCount,
    lastOpenedAt,
  } = share;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line px-3 py-2 last:border-0">
      <div className="grid gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {traceName === null ? (
            <span className="min-w-0 break-all text-muted">{traceId}</span>
          ) : (
            <Link
              to={paths.trace}
              params={{ id: traceId }}
              className="min-w-0 break-words font-medium text-accent hover:underline"
            >
              {traceName}
            </Link>
          )}
          <Tag>{hasPayloads ? "whole trace" : "without payloads"}</Tag>
          {hasWhy && <Tag>with Why</Tag>}
        </div>
        <p className="text-xs text-muted">
          {openCount === 0 ? (
            "never opened"
          ) : (
            <>
              opened {openCount.toLocaleString("en")} {openCount === 1 ? "time" : "times"}
              {lastOpenedAt && (
                <>
                  , last <RelativeTime instant={lastOpenedAt} />
                </>
              )}
            </>
          )}
          , created by <Author person={createdBy} /> <RelativeTime instant={createdAt} />,{" "}
          {traceName === null ? (
            <span className="font-medium text-error">ended: the trace was deleted</span>
          ) : (
            <span className={isExpired ? "font-medium text-error" : ""}>
              {isExpired ? "expired" : "expires"} <RelativeTime instant={expiresAt} />
            </span>
          )}
        </p>
      </div>
      <Button
        kind="danger"
        disabled={!onRevoke}
        title={
          onRevoke ? undefined : "Only an admin, an owner or the member who created this link can revoke it."
        }
        onClick={onRevoke}
        aria-label={`Revoke the link to ${traceName ?? traceId}`}
      >
        Revoke
      </Button>
    </li>
  );
}

function RevokeShare({ share, onDone }: { share: Share; onDone: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api("DELETE /api/shares/:id", { params: { id: share.id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey });
      onDone();
    },
  });
  return (
    <>
      <p>
        The link to <strong>{share.traceName ?? share.traceId}</strong> stops working at once. This cannot be
        undone.
      </p>
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke link
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
