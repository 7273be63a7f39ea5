import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import { useState } from "react";
import { AuthForm } from "../account/auth-layout.tsx";
import { NewPasswordField } from "../account/new-password-field.tsx";
import { api } from "../client/api.ts";
import { sessionQuery, useUser } from "../client/session.ts";
import { paths } from "../paths.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { deviceName } from "./device-name.ts";
import { methodName } from "./method-name.ts";
import { MyMails } from "./my-mails.tsx";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const accountPage = createLazyRoute("/signed-in/settings/account")({ component: AccountPage });

function AccountPage() {
  return (
    <SettingsLayout>
      <Name />
      <Password />
      <SignIns />
      <SettingsSection title="Mails">
        <MyMails />
      </SettingsSection>
      <Data />
    </SettingsLayout>
  );
}

function Name() {
  const user = useUser();
  const queryClient = useQueryClient();
  const rename = useMutation({
    mutationFn: ({ name }: Record<string, string>) =>
      api("PATCH /api/account", { body: { name: name || null } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <SettingsSection title="Profile">
      <p className="break-words text-muted">
        {user.email} ({user.isEmailVerified ? "confirmed" : "not confirmed"})
      </p>
      <div className="max-w-sm">
        <AuthForm
          action="Save name"
          isCompact
          isPending={rename.isPending}
          error={rename.error}
          onSubmit={rename.mutate}
        >
          <Field
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={200}
            defaultValue={user.name ?? ""}
          />
          {rename.isSuccess && <Notice tone="completed">Saved.</Notice>}
        </AuthForm>
      </div>
    </SettingsSection>
  );
}

function Password() {
  const queryClient = useQueryClient();
  // A new key resets the form after a successful change.
  const [formKey, setFormKey] = useState(0);
  const change = useMutation({
    mutationFn: ({ currentPassword = "", password = "" }: Record<string, string>) =>
      api("POST /api/account/password", { body: { currentPassword, password } }),
    onSuccess: async () => {
      setFormKey((before) => before + 1);
      await queryClient.invalidateQueries({ queryKey: ["sign-ins"] });
    },
  });
  return (
    <SettingsSection title="Password">
      <div className="max-w-sm">
        <AuthForm
          key={formKey}
          action="Change password"
          isCompact
          isPending={change.isPending}
          error={change.error}
          onSubmit={change.mutate}
        >
          <Field
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            required
          />
          <NewPasswordField label="New password" consequence=". Signs you out on your other devices." />
          {change.isSuccess && (
            <Notice tone="completed">Password changed. Your other devices are signed out.</Notice>
          )}
        </AuthForm>
      </div>
    </SettingsSection>
  );
}

function SignIns() {
  const queryClient = useQueryClient();
  const signIns = useQuery({
    queryKey: ["sign-ins"],
    queryFn: ({ signal }) => api("GET /api/account/sessions", { signal }),
  });
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? api("DELETE /api/account/sessions")
        : api("DELETE /api/account/sessions/:id", { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["sign-ins"] }),
  });
  const hasOthers = (signIns.data?.sessions.length ?? 0) > 1;
  const signOut = useMutation({
    mutationFn: () => api("POST /api/auth/logout"),
    // A full page load clears the cached data of this session.
    onSettled: () => location.assign(paths.login),
  });
  return (
    <SettingsSection title="Signed-in devices">
      {end.error && <ErrorNotice error={end.error} />}
      <QueryResult query={signIns} skeleton={<SkeletonList count={1} />}>
        {(data) => (
          <ul className="rounded-md border border-line">
            {data.sessions.map((signIn) => (
              <li
                key={signIn.id}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 last:border-0"
              >
                <span title={signIn.userAgent ?? undefined} className="min-w-0 flex-1 basis-60 break-words">
                  {deviceName(signIn.userAgent)}
                </span>
                <span className="text-muted">
                  {signIn.methods.map(methodName).join(" and ")}, last seen{" "}
                  <RelativeTime instant={signIn.lastSeenAt} />
                </span>
                {signIn.isCurrent ? (
                  <span className="font-medium text-accent">This device</span>
                ) : (
                  <Button
                    aria-label={`Sign out ${deviceName(signIn.userAgent)}`}
                    onClick={() => end.mutate(signIn.id)}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => signOut.mutate()}>Sign out</Button>
        <Button disabled={!hasOthers} aria-describedby="no-others" onClick={() => end.mutate(undefined)}>
          Sign out other devices
        </Button>
        <span id="no-others" className="self-center text-muted">
          {signIns.data && !hasOthers && "You are signed in on this device only."}
        </span>
      </div>
    </SettingsSection>
  );
}

function Data() {
  const [isDeleting, setIsDeleting] = useState(false);
  const deleteAccount = useMutation({
    mutationFn: (fields: Record<string, string>) => api("DELETE /api/account", { body: fields }),
    onSuccess: () => location.assign(paths.register),
  });
  return (
    <SettingsSection title="Your data">
      <p className="text-muted">
        Download what is stored about you, with the workspaces that have no other member, as a JSON Lines
        file. Or permanently delete your account.
      </p>
      <div className="flex flex-wrap gap-2">
        <a href="/api/account/export" download className={buttonStyle()}>
          Export data
        </a>
        <Button kind="danger" onClick={() => setIsDeleting(true)}>
          Delete account
        </Button>
      </div>
      <Dialog title="Delete your account?" isOpen={isDeleting} onClose={() => setIsDeleting(false)}>
        <p>
          This immediately deletes your traces, API keys and settings, and cancels your subscription. It
          cannot be undone.
        </p>
        <AuthForm
          action="Delete everything"
          isPending={deleteAccount.isPending}
          error={deleteAccount.error}
          onSubmit={deleteAccount.mutate}
        >
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        </AuthForm>
      </Dialog>
    </SettingsSection>
  );
}
