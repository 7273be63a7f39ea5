import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CurrentWorkspace, WorkspacePolicy } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../../client/api.ts";
import { membersQuery } from "../../client/people/members-query.ts";
import { signInMethodsQuery } from "../../client/sign-in-methods-query.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { SelectField } from "../../ui/controls/select-field.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import { useConfirmed } from "../sign-in/use-confirmed.tsx";
import { formatHours, policyWords } from "./policy-words.ts";
import { workspaceQuery } from "./workspace-query.ts";

const HOURS = [1, 4, 8, 12, 24, 72, 168];

/** What the workspace demands of its members' sign-in. Owners change it. */
export function PolicySection({ workspace: { policy, role } }: { workspace: CurrentWorkspace }) {
  const providers = useQuery(signInMethodsQuery).data?.providers ?? [];
  const demands = policyWords(policy, providers);
  return (
    <SettingsSection title="Sign-in policy">
      {demands.length === 0 ? (
        <p className="text-muted">Members sign in in any way that this server offers.</p>
      ) : (
        <ul className="list-disc pl-5">
          {demands.map((demand) => (
            <li key={demand}>{demand}</li>
          ))}
        </ul>
      )}
      {role === "owner" ? (
        <PolicyForm key={JSON.stringify(policy)} policy={policy} providers={providers} />
      ) : (
        <RoleNote needed="owner" act="Changing it" />
      )}
    </SettingsSection>
  );
}

interface PolicyFormProps {
  policy: WorkspacePolicy;
  providers: readonly { id: string; name: string }[];
}

function PolicyForm({ policy, providers }: PolicyFormProps) {
  const queryClient = useQueryClient();
  const { run, dialog } = useConfirmed();
  const [draft, setDraft] = useState(policy);
  const change = (part: Partial<WorkspacePolicy>) => setDraft({ ...draft, ...part });
  const { requireSecondFactor, ssoProvider, maxSessionHours } = draft;
  const save = useMutation({
    mutationFn: () =>
      run("change the sign-in policy", () =>
        api("PUT /api/workspace/policy", {
          // What is not demanded is left out.
          body: {
            requireSecondFactor,
            ...(ssoProvider !== null && { ssoProvider }),
            ...(maxSessionHours !== null && { maxSessionHours }),
          },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey }),
  });
  const hours = [
    ...new Set([...HOURS, ...(policy.maxSessionHours === null ? [] : [policy.maxSessionHours])]),
  ];
  return (
    <form
      className="grid max-w-sm gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <label className="flex min-h-8 items-center gap-2 max-sm:min-h-11">
        <input
          type="checkbox"
          checked={requireSecondFactor}
          onChange={(event) => change({ requireSecondFactor: event.target.checked })}
        />
        Require a second factor
      </label>
      {(providers.length > 0 || policy.ssoProvider !== null) && (
        <SelectField
          label="Sign in with"
          value={ssoProvider ?? ""}
          onChange={(event) => change({ ssoProvider: event.target.value || null })}
          options={[
            { value: "", label: "any way" },
            ...providers.map(({ id, name }) => ({ value: id, label: `${name} only` })),
          ]}
        />
      )}
      <SelectField
        label="Sign in again after"
        value={String(maxSessionHours ?? "")}
        onChange={(event) => change({ maxSessionHours: Number(event.target.value) || null })}
        options={[
          { value: "", label: "7 days, as everywhere" },
          ...hours.sort((a, b) => a - b).map((one) => ({ value: String(one), label: formatHours(one) })),
        ]}
      />
      {requireSecondFactor && !policy.requireSecondFactor && <LockedOut />}
      {ssoProvider !== null && ssoProvider !== policy.ssoProvider && (
        <Notice tone="retry">
          Members lose access until they sign in with{" "}
          {providers.find(({ id }) => id === ssoProvider)?.name ?? ssoProvider}. Who has no account there
          stays locked out.
        </Notice>
      )}
      {save.error && <ErrorNotice error={save.error} />}
      <Button
        type="submit"
        className="sm:justify-self-start"
        disabled={save.isPending || JSON.stringify(draft) === JSON.stringify(policy)}
      >
        Save policy
      </Button>
      {dialog}
    </form>
  );
}

/** Who has no second factor yet. */
function LockedOut() {
  const members = useQuery(membersQuery).data?.members ?? [];
  const without = members.filter(({ hasSecondFactor }) => hasSecondFactor === false);
  if (without.length === 0) return null;
  return (
    <Notice tone="retry">
      {without.length} of {members.length} members would lose access until they add one:{" "}
      {without.map(({ name, email }) => name ?? email).join(", ")}
    </Notice>
  );
}
