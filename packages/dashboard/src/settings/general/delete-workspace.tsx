import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { AuthForm } from "../../account/auth-layout.tsx";
import { api } from "../../client/api.ts";
import { useWorkspace } from "../../client/use-workspace.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import { useConfirmed } from "../sign-in/use-confirmed.tsx";

/** An owner deletes the workspace for everybody, after typing its name. */
export function DeleteWorkspace() {
  const { name, role } = useWorkspace();
  const { run, dialog } = useConfirmed();
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = useMutation({
    mutationFn: ({ name: typed = "" }: Record<string, string>) =>
      run(`delete ${name}`, () => api("DELETE /api/workspace", { body: { name: typed } })),
    onSuccess: () => location.assign("/"),
  });
  const isOwner = role === "owner";
  return (
    <SettingsSection title="Delete">
      <p id="delete-hint" className="text-muted">
        {isOwner
          ? "Deletes the workspace with everything in it, for everybody. It cannot be undone."
          : `Deleting the workspace needs the role owner. Your role is ${role}.`}
      </p>
      <Button
        kind="danger"
        className="sm:justify-self-start"
        disabled={!isOwner}
        aria-describedby="delete-hint"
        onClick={() => setIsDeleting(true)}
      >
        Delete workspace
      </Button>
      <Dialog title="Delete the workspace?" isOpen={isDeleting} onClose={() => setIsDeleting(false)}>
        <p className="break-words">
          <strong>{name}</strong> is gone for all of its members at once, with its traces, keys, rules and
          settings. Its subscription ends.
        </p>
        <AuthForm
          action="Delete everything"
          isPending={remove.isPending}
          error={remove.error}
          onSubmit={remove.mutate}
        >
          <Field label="Type its name" name="name" required autoComplete="off" />
        </AuthForm>
      </Dialog>
      {dialog}
    </SettingsSection>
  );
}
