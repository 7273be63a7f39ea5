import { useMutation, useQuery } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import type { JoinedWorkspace } from "@whytrace/contract";
import type { FormEvent } from "react";
import { api } from "../client/api.ts";
import { ownInvitationsQuery } from "../client/people/own-invitations-query.ts";
import { useSession } from "../client/session.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { openWorkspace } from "./enter-workspace.ts";
import { SignOut } from "./sign-out.tsx";
import { VerificationBanner } from "./verification-banner.tsx";

export const FRAME = "mx-auto grid w-full max-w-md content-start gap-6 px-4 py-12";

export const newWorkspacePage = createLazyRoute("/signed-in/workspaces/new")({ component: NoWorkspace });

/** For a person without a workspace, or who wants another one: invitations that wait, what the domain opens, and a form. */
export function NoWorkspace() {
  const { workspaces, user } = useSession();
  const invitations = useQuery(ownInvitationsQuery);
  const joinable = useQuery({
    queryKey: ["joinable"],
    queryFn: ({ signal }) => api("GET /api/account/joinable", { signal }),
  });
  const onSuccess = ({ workspace }: JoinedWorkspace) => openWorkspace(workspace.slug);
  const accept = useMutation({
    mutationFn: (id: string) => api("POST /api/invitations/accept", { body: { id } }),
    onSuccess,
  });
  const join = useMutation({
    mutationFn: (id: string) => api("POST /api/account/joinable/:id", { params: { id } }),
    onSuccess,
  });
  const error = invitations.error ?? joinable.error ?? accept.error ?? join.error;
  return (
    <div className={FRAME}>
      <h1 className="text-xl font-semibold">
        {workspaces.length === 0 ? "You belong to no workspace" : "Another workspace"}
      </h1>
      <p className="text-muted">You are signed in as {user.email}.</p>
      {workspaces.length === 0 && <VerificationBanner />}
      {workspaces.map(({ id, slug, name, blockedBy }) => (
        <a key={id} href={`/w/${slug}/`} className={`${buttonStyle()} min-w-0`}>
          <span className="truncate">Go to {name}</span>
          {blockedBy && <span className="text-muted">(closed to this sign-in)</span>}
        </a>
      ))}
      {invitations.data?.invitations.map(({ id, workspace, role }) => (
        <Offer key={id} name={workspace.name} role={role} action="Accept" onTake={() => accept.mutate(id)} />
      ))}
      {joinable.data?.workspaces.map(({ id, name, role }) => (
        <Offer key={id} name={name} role={role} action="Join" onTake={() => join.mutate(id)} />
      ))}
      {error && <ErrorNotice error={error} />}
      <CreateWorkspace />
      <SignOut />
    </div>
  );
}

interface OfferProps {
  name: string;
  role: string;
  action: string;
  onTake: () => void;
}

function Offer({ name, role, action, onTake }: OfferProps) {
  return (
    <div className="flex items-center justify-between gap-3 rounded-md border border-line px-3 py-2">
      <span className="min-w-0 break-words">
        {name} <span className="text-muted">as {role}</span>
      </span>
      <Button kind="primary" onClick={onTake}>
        {action}
      </Button>
    </div>
  );
}

function CreateWorkspace() {
  const create = useMutation({
    mutationFn: (name: string) => api("POST /api/workspaces", { body: { name } }),
    onSuccess: ({ slug }) => openWorkspace(slug),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(String(new FormData(event.currentTarget).get("name") ?? ""));
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="Name of the workspace" name="name" required maxLength={100} />
      {create.error && <ErrorNotice error={create.error} />}
      <Button kind="primary" type="submit" disabled={create.isPending}>
        Create workspace
      </Button>
    </form>
  );
}

/** For an address of a workspace that the person does not belong to, or that never was: the two look the same. */
export function UnknownWorkspace() {
  const { user, workspaces } = useSession();
  return (
    <main className={FRAME}>
      <h1 className="text-xl font-semibold">No such workspace</h1>
      <p>
        This workspace does not exist, or you are not a member. You are signed in as{" "}
        <strong>{user.email}</strong>.
      </p>
      {workspaces.map(({ id, slug, name }) => (
        <a key={id} href={`/w/${slug}/`} className={`${buttonStyle()} min-w-0`}>
          <span className="truncate">Switch to {name}</span>
        </a>
      ))}
      <SignOut />
    </main>
  );
}
