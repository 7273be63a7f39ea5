import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CreatedInvitation, ROLES } from "@whytrace/contract";
import { type ClipboardEvent, type FormEvent, type RefObject, useState } from "react";
import { ApiError, api } from "../../client/api.ts";
import { useWorkspace } from "../../client/use-workspace.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { SelectField } from "../../ui/controls/select-field.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { InvitationLinks } from "./invitation-links.tsx";
import { invitationsQuery } from "./invitations-query.ts";
import { parseAddresses } from "./parse-addresses.ts";

interface Invited {
  done: CreatedInvitation[];
  refused: { email: string; reason: string }[];
}
const NOBODY: Invited = { done: [], refused: [] };

/** Refused because of the address. Other errors concern those after it, too. */
const isAboutAddress = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 400 || error.status === 409);

/** Invites an address, or all of a list that is pasted. What could not be invited stays in the field. */
export function Invite({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const { role: own } = useWorkspace();
  const queryClient = useQueryClient();
  const [invited, setInvited] = useState(NOBODY);
  const [count, setCount] = useState(0);
  const setAddresses = (addresses: readonly string[]) => {
    if (field.current) field.current.value = addresses.join(",");
    setCount(addresses.length);
  };
  const invite = useMutation({
    mutationFn: async ({ emails, role }: { emails: readonly string[]; role: string }) => {
      let { done, refused } = NOBODY;
      const waiting = new Set(emails);
      try {
        for (const email of emails) {
          try {
            const body = { email, role };
            done = [...done, await api("POST /api/invitations", { body })];
            waiting.delete(email);
          } catch (error) {
            if (!isAboutAddress(error)) throw error;
            refused = [...refused, { email, reason: error.message }];
          }
          setInvited({ done, refused });
        }
      } finally {
        setAddresses([...waiting]);
      }
    },
    onMutate: () => setInvited(NOBODY),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const emails = parseAddresses(String(data.get("email")));
    if (!invite.isPending && emails.length > 0) invite.mutate({ emails, role: String(data.get("role")) });
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = parseAddresses(event.clipboardData.getData("text"));
    // One address goes where the cursor is.
    if (pasted.length < 2) return;
    event.preventDefault();
    setAddresses([...new Set([...parseAddresses(event.currentTarget.value), ...pasted])]);
  };
  const options = ROLES.filter((role) => own === "owner" || role !== "owner").map((role) => ({
    value: role,
    label: role,
  }));
  const { done, refused } = invited;
  return (
    <div className="grid gap-3">
      <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
        <Field
          ref={field}
          label="Email address"
          name="email"
          type="email"
          multiple
          required
          autoComplete="off"
          onPaste={paste}
          onInput={(event) => setCount(parseAddresses(event.currentTarget.value).length)}
        />
        <SelectField label="Role" name="role" defaultValue="member" options={options} />
        <Button kind="primary" type="submit" disabled={invite.isPending}>
          {count > 1 ? `Invite ${count}` : "Invite"}
        </Button>
      </form>
      <p role="status" className="text-xs text-muted">
        {invite.isPending && count > 1
          ? `${done.length + refused.length} of ${count} addresses`
          : "Paste several addresses at once, in any form."}
      </p>
      {invite.error && <ErrorNotice error={invite.error} />}
      {refused.length > 0 && (
        <Notice tone="error">
          <ul className="grid gap-1">
            {refused.map(({ email, reason }) => (
              <li key={email} className="break-words">
                {reason.includes(email) ? reason : `${email}: ${reason}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <InvitationLinks invitations={done} />
    </div>
  );
}
