import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import { type CurrentWorkspace, includesRole } from "@whytrace/contract";
import { AuthForm } from "../../account/auth-layout.tsx";
import { api } from "../../client/api.ts";
import { apiUrl } from "../../client/base-path.ts";
import { sessionQuery } from "../../client/session.ts";
import { useRoleRefusal } from "../../client/use-role.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button, buttonStyle } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { SmallCopyButton } from "../../ui/controls/small-copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { SettingsLayout, SettingsSection } from "../settings-layout.tsx";
import { DeleteWorkspace } from "./delete-workspace.tsx";
import { DomainsSection } from "./domains-section.tsx";
import { LeaveWorkspace } from "./leave-workspace.tsx";
import { PolicySection } from "./policy-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { workspaceQuery } from "./workspace-query.ts";

export const generalPage = createLazyRoute("/signed-in/settings/general")({ component: GeneralPage });

/** What concerns the workspace as a whole. */
function GeneralPage() {
  const workspace = useQuery(workspaceQuery);
  return (
    <SettingsLayout>
      <QueryResult query={workspace} skeleton={<SkeletonList count={3} />}>
        {(data) => (
          <>
            <Name workspace={data} />
            <PolicySection workspace={data} />
          </>
        )}
      </QueryResult>
      <DomainsSection />
      <RetentionSection />
      <Exports />
      <LeaveWorkspace />
      <DeleteWorkspace />
    </SettingsLayout>
  );
}

function Name({ workspace: { name, slug, role } }: { workspace: CurrentWorkspace }) {
  const queryClient = useQueryClient();
  const rename = useMutation({
    mutationFn: ({ name: next = "" }: Record<string, string>) =>
      api("PATCH /api/workspace", { body: { name: next } }),
    onSuccess: async (renamed) => {
      queryClient.setQueryData(workspaceQuery.queryKey, renamed);
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const isAdmin = includesRole(role, "admin");
  return (
    <SettingsSection title="Name">
      {isAdmin ? (
        <div className="max-w-sm">
          <AuthForm
            action="Save name"
            isCompact
            isPending={rename.isPending}
            error={rename.error}
            onSubmit={rename.mutate}
          >
            <Field
              label="Name of the workspace"
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              defaultValue={name}
            />
            {rename.isSuccess && <Notice tone="completed">Saved.</Notice>}
          </AuthForm>
        </div>
      ) : (
        <>
          <p className="break-words">{name}</p>
          <RoleNote needed="admin" act="Renaming it" />
        </>
      )}
      <p className="flex flex-wrap items-center gap-x-1 text-muted">
        Its addresses begin with <code className="font-mono text-xs text-text">/w/{slug}</code>
        <SmallCopyButton label="Copy the address" text={async () => `${location.origin}/w/${slug}/`} />
      </p>
    </SettingsSection>
  );
}

function Exports() {
  const isAdmin = useRoleRefusal("admin") === undefined;
  return (
    <SettingsSection title="Export">
      <p className="text-muted">
        Everything in the workspace as a JSON Lines file, or only the verdicts, each with its decision, as a
        dataset for evaluations.
      </p>
      <RoleNote needed="admin" act="Exporting everything" />
      <div className="flex flex-wrap gap-2">
        {isAdmin ? (
          <a href={apiUrl("/api/workspace/export")} download className={buttonStyle()}>
            Export workspace
          </a>
        ) : (
          <Button disabled>Export workspace</Button>
        )}
        <a href={apiUrl("/api/insights/verdicts/export")} download className={buttonStyle()}>
          Export verdicts
        </a>
      </div>
    </SettingsSection>
  );
}
