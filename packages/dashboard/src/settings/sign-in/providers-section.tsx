import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Identity } from "@whytrace/contract";
import { api } from "../../client/api.ts";
import { signInMethodsQuery } from "../../client/sign-in-methods-query.ts";
import { rememberProvider } from "../../shell/provider-errors.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import type { SectionProps } from "./section-props.ts";
import { identitiesQuery } from "./sign-in-queries.ts";

/** The providers of the server, and which of them the person has linked; nothing if there are none. */
export function ProvidersSection({ run }: Pick<SectionProps, "run">) {
  const queryClient = useQueryClient();
  const identities = useQuery(identitiesQuery);
  const providers = useQuery(signInMethodsQuery).data?.providers ?? [];
  const link = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => {
      rememberProvider(name);
      return run(`link ${name}`, () => api("POST /api/account/identities", { body: { provider: id } }));
    },
    onSuccess: ({ url }) => location.assign(url),
  });
  const unlink = useMutation({
    mutationFn: ({ id, name }: Identity) =>
      run(`unlink ${name}`, () => api("DELETE /api/account/identities/:id", { params: { id } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
  if (providers.length === 0) return null;
  return (
    <SettingsSection title="Providers">
      {link.error && <ErrorNotice error={link.error} />}
      {unlink.error && <ErrorNotice error={unlink.error} />}
      <QueryResult query={identities} skeleton={<SkeletonList count={1} />}>
        {(data) => (
          <ul className="rounded-md border border-line">
            {providers.map((provider) => {
              const linked = data.identities.find((identity) => identity.provider === provider.id);
              return (
                <li
                  key={provider.id}
                  className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0"
                >
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="break-words font-medium">{provider.name}</p>
                    <p className="break-words text-xs text-muted">
                      {linked ? `linked${linked.email ? ` as ${linked.email}` : ""}` : "not linked"}
                    </p>
                  </div>
                  {linked ? (
                    <Button aria-label={`Unlink ${provider.name}`} onClick={() => unlink.mutate(linked)}>
                      Unlink
                    </Button>
                  ) : (
                    <Button
                      aria-label={`Link ${provider.name}`}
                      disabled={link.isPending}
                      onClick={() => link.mutate(provider)}
                    >
                      Link
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </QueryResult>
    </SettingsSection>
  );
}
