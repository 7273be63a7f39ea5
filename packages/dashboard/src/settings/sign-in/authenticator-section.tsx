import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StartedTotp } from "@whytrace/contract";
import { useState } from "react";
import { AuthForm } from "../../account/auth-layout.tsx";
import { api } from "../../client/api.ts";
import { sessionQuery } from "../../client/session.ts";
import { signInMethodsQuery } from "../../client/sign-in-methods-query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import { QrImage } from "./qr-image.tsx";
import type { SectionProps } from "./section-props.ts";
import { factorsQuery } from "./sign-in-queries.ts";

export function AuthenticatorSection({ run, onCodes }: SectionProps) {
  const queryClient = useQueryClient();
  const factors = useQuery(factorsQuery);
  const methods = useQuery(signInMethodsQuery).data;
  const [started, setStarted] = useState<StartedTotp | null>(null);
  const refresh = () =>
    Promise.all(
      [factorsQuery, sessionQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
  const start = useMutation({
    mutationFn: () => run("set up an authenticator app", () => api("POST /api/account/totp")),
    onSuccess: setStarted,
  });
  const finish = useMutation({
    mutationFn: ({ code = "" }: Record<string, string>) =>
      run("set up an authenticator app", () => api("POST /api/account/totp/confirm", { body: { code } })),
    onSuccess: async ({ recoveryCodes }) => {
      setStarted(null);
      onCodes(recoveryCodes);
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => run("remove your authenticator app", () => api("DELETE /api/account/totp")),
    onSuccess: refresh,
  });
  const hasTotp = factors.data?.hasTotp === true;
  return (
    <SettingsSection title="Authenticator app">
      <QueryResult query={factors} skeleton={<SkeletonList count={1} />}>
        {() => (
          <div className="flex flex-wrap items-center gap-3">
            <p className="flex-1 basis-60 text-muted">
              {methods?.totp === false && !hasTotp
                ? "The operator of this server has not set a key for authenticator apps."
                : hasTotp
                  ? "Set up. It is asked for after your password."
                  : "An app on your phone shows a code that is asked for after your password."}
            </p>
            {hasTotp ? (
              <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
                Remove the app
              </Button>
            ) : (
              !started && (
                <Button disabled={start.isPending || !methods?.totp} onClick={() => start.mutate()}>
                  Set up an app
                </Button>
              )
            )}
          </div>
        )}
      </QueryResult>
      {start.error && <ErrorNotice error={start.error} />}
      {remove.error && <ErrorNotice error={remove.error} />}
      {started && (
        <div className="flex flex-wrap gap-4 rounded-md border border-line p-3">
          <QrImage text={started.uri} />
          <div className="grid min-w-0 flex-1 basis-60 content-start gap-3">
            <p>Scan this with your app, or type the secret:</p>
            <code className="break-words font-mono text-sm">
              {started.secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
            <AuthForm
              action="Confirm"
              isCompact
              isPending={finish.isPending}
              error={finish.error}
              onSubmit={finish.mutate}
            >
              <Field
                label="Then enter the code it shows"
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={7}
                required
              />
            </AuthForm>
            <p className="text-muted">From then on your password alone is not enough.</p>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}
