import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type NewShare, SHARE_DAYS } from "@whytrace/contract";
import { useId } from "react";
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
  /** Whether something went wrong that Why can explain. */
  isWhyOffered: boolean;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes a secret link to the trace. */
export function ShareDialog({ isOpen, ...props }: ShareDialogProps) {
  return (
    <Dialog title="Share this trace" isOpen={isOpen} onClose={props.onClose}>
      <ShareForm {...props} />
    </Dialog>
  );
}

function ShareForm({ traceId, isWhyOffered, onClose }: Omit<ShareDialogProps, "isOpen">) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: ({ contents, why, days }: Record<string, string>) =>
      api("POST /api/traces/:id/shares", {
        params: { id: traceId },
        body: {
          payloads: contents === "all",
          why: why !== undefined,
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
          {isWhyOffered && <WhyBox />}
          <SelectField label="Expires" name="days" options={DAYS} defaultValue={String(SHARE_DAYS)} />
        </AuthForm>
      </>
    );
  const { url, expiresAt, hasPayloads, hasWhy } = create.data;
  return (
    <>
      <p>
        This link shows the trace {hasPayloads ? "with all payloads" : "without payloads"}
        {hasWhy && ", with Why,"} and expires <RelativeTime instant={expiresAt} />. Copy it now: it is shown
        only once.
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

/** Off unless the owner wants it: what it says comes from other runs. */
function WhyBox() {
  const id = useId();
  return (
    <label className="grid min-h-9 cursor-pointer grid-cols-[auto_1fr] items-baseline gap-x-2.5 rounded-md border border-line px-2.5 py-1.5 has-checked:border-accent has-checked:bg-panel has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring max-sm:min-h-11">
      <input
        type="checkbox"
        name="why"
        aria-describedby={id}
        className="translate-y-0.5 accent-accent outline-none"
      />
      <span className="font-medium">With Why</span>
      <span id={id} className="col-start-2 text-xs text-muted">
        The first suspects, as they stand now. Their sentences count your other runs; nothing else of those is
        shown
      </span>
    </label>
  );
}
