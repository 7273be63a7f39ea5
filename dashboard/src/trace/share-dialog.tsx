import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type CreatedShare, type NewShare, SHARE_DAYS } from "@whytrace/contract";
import { AuthForm, linkStyle } from "../account/auth-layout.tsx";
import { api } from "../client/api.ts";
import { sharesQuery } from "../client/shares-query.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { RadioList } from "../ui/controls/radio-list.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";

const CONTENTS = [
  { value: "all", label: "The whole trace", hint: "Spans, decisions, events, and what they hold" },
  {
    value: "outline",
    label: "Without payloads",
    hint: "No inputs, outputs, metadata, contexts and reasoning. Names, also of options, and error messages stay",
  },
];
const DAYS = [1, 7, SHARE_DAYS, 90].map((days) => ({
  value: String(days),
  label: days === 1 ? "In a day" : `In ${days} days`,
}));
const DAY_MS = 86_400_000;

interface ShareDialogProps {
  traceId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes a secret link to the trace. */
export function ShareDialog({ traceId, isOpen, onClose }: ShareDialogProps) {
  return (
    <Dialog title="Share this trace" isOpen={isOpen} onClose={onClose}>
      <ShareForm traceId={traceId} onClose={onClose} />
    </Dialog>
  );
}

function ShareForm({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: ({ contents, days }: Record<string, string>) =>
      api<CreatedShare>(`/api/traces/${encodeURIComponent(traceId)}/shares`, {
        method: "POST",
        body: {
          payloads: contents === "all",
          expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        } satisfies NewShare,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey }),
  });
  if (!create.data)
    return (
      <>
        <p className="text-muted">
          Everybody who has the link can read this trace, without an account. Nothing else of yours is shown.
        </p>
        <AuthForm
          action="Create link"
          isPending={create.isPending}
          error={create.error}
          onSubmit={create.mutate}
        >
          <RadioList label="The link shows" name="contents" options={CONTENTS} />
          <SelectField label="Expires" name="days" options={DAYS} defaultValue={String(SHARE_DAYS)} />
        </AuthForm>
      </>
    );
  const { url, expiresAt, hasPayloads } = create.data;
  return (
    <>
      <p>
        This link shows the trace {hasPayloads ? "with all payloads" : "without payloads"} and expires{" "}
        <RelativeTime instant={expiresAt} />. Copy it now: it is shown only once.
      </p>
      <code className="break-all rounded-md border border-line bg-panel p-3 font-mono text-sm">{url}</code>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={url} label="Copy link" />
        <Button onClick={onClose}>Done</Button>
        <Link to={paths.links} className={`${linkStyle} ml-auto`}>
          All links
        </Link>
      </div>
    </>
  );
}
