import { useMutation } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../client/api.ts";
import { useSession } from "../client/session.ts";
import { paths } from "../paths.ts";
import { Code } from "../ui/code.tsx";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout } from "./auth-layout.tsx";

const route = getRouteApi(paths.cli);
export const cliPage = createLazyRoute(paths.cli)({ component: CliPage });

const LOGIN = <code className="font-mono">whytrace login</code>;
/** Counted here: the clock of this machine may be wrong. */
const CODE_MINUTES = 2;

/** Signs the command line in: makes a code for the workspace that the person chooses, and brings it to the command. */
function CliPage() {
  const { challenge, port, name = "an unknown machine" } = route.useSearch();
  const { user, workspaces } = useSession();
  const [isRefused, setIsRefused] = useState(false);
  const create = useMutation({
    mutationFn: ({ workspace, challenge }: { workspace: string; challenge: string }) =>
      api("POST /api/cli-codes", { workspace, body: { challenge, name } }),
    onSuccess: ({ code }) => {
      if (port !== undefined) location.assign(`http://127.0.0.1:${port}/?code=${encodeURIComponent(code)}`);
    },
  });
  const open = workspaces.filter(({ blockedBy }) => blockedBy === null);
  const isExpired = useHasPassed(create.data?.code, CODE_MINUTES * 60_000);
  if (challenge === undefined)
    return (
      <AuthLayout title="Command line" isSignedIn>
        <p>This page is opened by the command {LOGIN}.</p>
      </AuthLayout>
    );
  if (open.length === 0)
    return (
      <AuthLayout title="Command line" isSignedIn>
        <Notice tone="retry">
          You ({user.email}) can open no workspace. Create one, ask for an invitation, or sign in as its rules
          demand.
        </Notice>
      </AuthLayout>
    );
  if (isRefused)
    return (
      <AuthLayout title="Refused" isSignedIn>
        <p>
          <strong className="break-words">{name}</strong> got no access. If {LOGIN} still waits in your
          terminal, stop it with Ctrl+C.
        </p>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Sign in the command line" isSignedIn>
      {create.data && isExpired ? (
        <>
          <Notice tone="retry">The code has expired.</Notice>
          <Button kind="primary" onClick={() => create.reset()}>
            Make another code
          </Button>
        </>
      ) : create.data ? (
        <>
          <p>
            {port === undefined ? "Paste this code" : "The code is on its way. If nothing happens, paste it"}{" "}
            into the terminal on <strong className="break-words">{name}</strong> within {CODE_MINUTES}{" "}
            minutes.
          </p>
          <Code label="Code" text={create.data.code} isWrapped />
          <CopyButton text={create.data.code} label="Copy the code" />
        </>
      ) : (
        <>
          <p>
            <strong className="break-words">{name}</strong> wants to read your traces as {user.email}, for 7
            days.
          </p>
          <Notice tone="retry">Only if you have just run {LOGIN}.</Notice>
          <AuthForm
            action="Sign in"
            isPending={create.isPending}
            error={create.error}
            onSubmit={({ workspace }) => create.mutate({ workspace: workspace ?? "", challenge })}
          >
            <SelectField
              label="Workspace"
              name="workspace"
              options={open.map(({ slug, name: label }) => ({ value: slug, label }))}
            />
          </AuthForm>
          <Button onClick={() => setIsRefused(true)}>Refuse</Button>
        </>
      )}
    </AuthLayout>
  );
}

/** Whether the time has passed since the value came; false without one. */
function useHasPassed(value: string | undefined, timeMs: number): boolean {
  const [passed, setPassed] = useState<string>();
  useEffect(() => {
    if (value === undefined) return;
    const timer = setTimeout(() => setPassed(value), timeMs);
    return () => clearTimeout(timer);
  }, [value, timeMs]);
  return value !== undefined && passed === value;
}
