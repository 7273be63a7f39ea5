import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RouteBody } from "@whytrace/contract";
import { type Domain, MAX_DOMAINS } from "@whytrace/contract";
import { type FormEvent, useState } from "react";
import { api } from "../../client/api.ts";
import { useRoleRefusal } from "../../client/use-role.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { SelectField } from "../../ui/controls/select-field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import { useConfirmed } from "../sign-in/use-confirmed.tsx";
import { DomainRow } from "./domain-row.tsx";

const DOMAINS = ["domains"];

/** Whose people may join by themselves. Owners see and change it. */
export function DomainsSection() {
  const isOwner = useRoleRefusal("owner") === undefined;
  return (
    <SettingsSection title="Domains">
      <p className="text-muted">
        People with a verified address of a domain may join by themselves. Nobody is added without asking.
      </p>
      {isOwner ? <Domains /> : <RoleNote needed="owner" act="Seeing and changing them" />}
    </SettingsSection>
  );
}

function Domains() {
  const queryClient = useQueryClient();
  const { run, dialog } = useConfirmed();
  const [removed, setRemoved] = useState<Domain | null>(null);
  const domains = useQuery({
    queryKey: DOMAINS,
    queryFn: ({ signal }) => api("GET /api/workspace/domains", { signal }),
  });
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: DOMAINS });
  const add = useMutation({
    mutationFn: (body: RouteBody<"POST /api/workspace/domains">) =>
      run("add a domain", () => api("POST /api/workspace/domains", { body })),
    onSuccess,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const role = fields.get("role") === "member" ? "member" : "viewer";
    add.mutate({ domain: String(fields.get("domain")), role }, { onSuccess: () => form.reset() });
  };
  const isFull = (domains.data?.domains.length ?? 0) >= MAX_DOMAINS;
  return (
    <>
      <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
        <Field
          label="Domain"
          name="domain"
          required
          maxLength={240}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="example.com"
        />
        <SelectField
          label="They join as"
          name="role"
          options={["viewer", "member"].map((value) => ({ value, label: value }))}
        />
        <Button type="submit" disabled={add.isPending || isFull} aria-describedby="domains-full">
          Add domain
        </Button>
      </form>
      <p id="domains-full" className="text-muted empty:hidden">
        {isFull && `Limit of ${MAX_DOMAINS} domains reached. Remove one to add another.`}
      </p>
      {add.error && <ErrorNotice error={add.error} />}
      <QueryResult query={domains} skeleton={<SkeletonList count={1} />}>
        {(data) =>
          data.domains.length === 0 ? (
            <p className="rounded-md border border-line px-3 py-3 text-muted">
              No domains. People join by invitation.
            </p>
          ) : (
            <ul className="rounded-md border border-line">
              {data.domains.map((domain) => (
                <DomainRow
                  key={domain.id}
                  domain={domain}
                  onCheck={async () => {
                    await run("check a domain", () =>
                      api("POST /api/workspace/domains/:id/check", { params: { id: domain.id } }),
                    );
                    await onSuccess();
                  }}
                  onRemove={() => setRemoved(domain)}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <Dialog title="Remove the domain?" isOpen={removed !== null} onClose={() => setRemoved(null)}>
        {removed && (
          <RemoveDomain
            domain={removed.domain}
            remove={async () => {
              await run("remove a domain", () =>
                api("DELETE /api/workspace/domains/:id", { params: { id: removed.id } }),
              );
              await onSuccess();
            }}
            onDone={() => setRemoved(null)}
          />
        )}
      </Dialog>
      {dialog}
    </>
  );
}

interface RemoveDomainProps {
  domain: string;
  remove: () => Promise<void>;
  onDone: () => void;
}

function RemoveDomain({ domain, remove, onDone }: RemoveDomainProps) {
  const removal = useMutation({ mutationFn: remove, onSuccess: onDone });
  return (
    <>
      <p className="break-words">
        Nobody joins by <strong>{domain}</strong> any more. Who has joined stays.
      </p>
      {removal.error && <ErrorNotice error={removal.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
          Remove domain
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
