import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Passkey } from "@whytrace/contract";
import { useState } from "react";
import { AuthForm } from "../../account/auth-layout.tsx";
import { api } from "../../client/api.ts";
import { sessionQuery } from "../../client/session.ts";
import { signInMethodsQuery } from "../../client/sign-in-methods-query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { deviceName } from "../device-name.ts";
import { SettingsSection } from "../settings-layout.tsx";
import type { SectionProps } from "./section-props.ts";
import { factorsQuery, passkeysQuery } from "./sign-in-queries.ts";

export function PasskeysSection({ run, onCodes }: SectionProps) {
  const queryClient = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const methods = useQuery(signInMethodsQuery).data;
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const refresh = () =>
    Promise.all(
      [passkeysQuery, factorsQuery, sessionQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const add = useMutation({
    mutationFn: async () => {
      const { createPasskey, passkeyError } = await import("../../client/passkeys/passkey.ts");
      const { options } = await run("add a passkey", () => api("POST /api/account/passkeys/options"));
      try {
        const response = await createPasskey(options);
        const body = { name: deviceName(navigator.userAgent), response };
        return await api("POST /api/account/passkeys", { body });
      } catch (error) {
        const told = passkeyError(error);
        if (told) throw told;
        return undefined;
      }
    },
    onSuccess: async (added) => {
      if (added) onCodes(added.recoveryCodes);
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id, name }: Passkey) =>
      run(`remove the passkey ${name}`, () => api("DELETE /api/account/passkeys/:id", { params: { id } })),
    onSuccess: refresh,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      api("PATCH /api/account/passkeys/:id", { params: { id }, body: { name } }),
    onSuccess: async () => {
      setRenamed(null);
      await refresh();
    },
  });
  return (
    <SettingsSection title="Passkeys">
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 basis-60 text-muted">
          Sign in without a password, with this device or a security key. Two are better than one.
        </p>
        <Button
          kind="primary"
          disabled={add.isPending || !methods?.passkeys}
          aria-describedby="no-passkeys"
          onClick={() => add.mutate()}
        >
          Add a passkey
        </Button>
      </div>
      <p id="no-passkeys" className="text-muted empty:hidden">
        {methods?.passkeys === false &&
          "Passkeys do not work on the address of this server: browsers need https and a host name."}
      </p>
      {add.error && <ErrorNotice error={add.error} />}
      {remove.error && <ErrorNotice error={remove.error} />}
      <QueryResult query={passkeys} skeleton={<SkeletonList count={1} />}>
        {(data) =>
          data.passkeys.length === 0 ? (
            <p className="rounded-md border border-line px-3 py-3 text-muted">No passkeys yet.</p>
          ) : (
            <ul className="rounded-md border border-line">
              {data.passkeys.map((passkey) => (
                <li
                  key={passkey.id}
                  className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0"
                >
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="break-words font-medium">{passkey.name}</p>
                    <p className="text-xs text-muted">
                      added <RelativeTime instant={passkey.createdAt} />,{" "}
                      {passkey.lastUsedAt ? (
                        <>
                          used <RelativeTime instant={passkey.lastUsedAt} />
                        </>
                      ) : (
                        "never used"
                      )}
                    </p>
                  </div>
                  <div className="flex gap-2">
                    <Button aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                      Rename
                    </Button>
                    <Button
                      kind="danger"
                      aria-label={`Remove ${passkey.name}`}
                      disabled={remove.isPending}
                      onClick={() => remove.mutate(passkey)}
                    >
                      Remove
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
      <Dialog title="Rename the passkey" isOpen={renamed !== null} onClose={() => setRenamed(null)}>
        {renamed && (
          <AuthForm
            action="Save"
            isPending={rename.isPending}
            error={rename.error}
            onSubmit={({ name = "" }) => rename.mutate({ id: renamed.id, name })}
          >
            <Field label="Name" name="name" maxLength={100} defaultValue={renamed.name} required />
          </AuthForm>
        )}
      </Dialog>
    </SettingsSection>
  );
}
