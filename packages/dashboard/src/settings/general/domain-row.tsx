import { useMutation } from "@tanstack/react-query";
import type { Domain } from "@whytrace/contract";
import { ApiError } from "../../client/api.ts";
import { Tag } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { SmallCopyButton } from "../../ui/controls/small-copy-button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

interface DomainRowProps {
  domain: Domain;
  onCheck: () => Promise<void>;
  onRemove: () => void;
}

/** A domain. As long as name servers have not shown its record, it says which one to add. */
export function DomainRow({
  domain: { domain, role, record, verifiedAt },
  onCheck,
  onRemove,
}: DomainRowProps) {
  const check = useMutation({ mutationFn: onCheck });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line px-3 py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 break-all font-medium">{domain}</span>
            <Tag>{role}</Tag>
          </p>
          <p className="text-xs text-muted">
            {verifiedAt ? (
              <>
                People can join. Verified <RelativeTime instant={verifiedAt} />
              </>
            ) : (
              "Nobody can join yet: add this record to the domain, then check it."
            )}
          </p>
        </div>
        <div className="flex gap-2">
          {verifiedAt === null && (
            <Button
              kind="primary"
              disabled={check.isPending}
              onClick={() => check.mutate()}
              aria-label={`Check ${domain}`}
            >
              {check.isPending ? "Checking…" : "Check"}
            </Button>
          )}
          <Button kind="danger" onClick={onRemove} aria-label={`Remove ${domain}`}>
            Remove
          </Button>
        </div>
      </div>
      {verifiedAt === null && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-md bg-panel px-3 py-2">
          <Part label="Type" text={record.type} />
          <Part label="Name" text={record.name} isCopied />
          <Part label="Value" text={record.value} isCopied />
        </dl>
      )}
      {check.error && <ErrorNotice error={check.error} />}
      {check.error instanceof ApiError && check.error.status === 409 && (
        <p className="text-muted">Name servers may need up to an hour to show a new record.</p>
      )}
    </li>
  );
}

function Part({ label, text, isCopied = false }: { label: string; text: string; isCopied?: boolean }) {
  return (
    <>
      <dt className="text-xs leading-6 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-1">
        <code className="min-w-0 break-all font-mono text-xs">{text}</code>
        {isCopied && <SmallCopyButton label={`Copy the ${label.toLowerCase()}`} text={async () => text} />}
      </dd>
    </>
  );
}
