import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Workspace } from "@whytrace/contract";
import { ApiError, api } from "../client/api.ts";
import { signInMethodsQuery } from "../client/sign-in-methods-query.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { FRAME } from "./no-workspace.tsx";
import { rememberProvider } from "./provider-errors.ts";
import { SignOut } from "./sign-out.tsx";

/** For a workspace whose policy the sign-in does not meet: says what it demands, and offers that. */
export default function BlockedWorkspace({ workspace }: { workspace: Workspace }) {
  const { name, slug, blockedBy } = workspace;
  const refusal = useQuery({
    queryKey: ["workspace-refusal"],
    retry: false,
    // The words of the refusal name the rule. If the workspace is open by now, the page loads again.
    queryFn: ({ signal }) =>
      api("GET /api/workspace", { signal }).then(
        () => {
          location.reload();
          return "";
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 403) return error.message;
          throw error;
        },
      ),
  });
  const next = `/w/${slug}/`;
  return (
    <main className={FRAME}>
      <h1 className="break-words text-xl font-semibold">{name} is closed to this sign-in</h1>
      {refusal.error && <ErrorNotice error={refusal.error} />}
      {refusal.data && <p>{refusal.data}</p>}
      {blockedBy === "second-factor" && (
        <Link to={paths.signIn} className={buttonStyle("primary")}>
          Add a second factor
        </Link>
      )}
      {blockedBy === "sso" && <Providers sentence={refusal.data ?? ""} next={next} />}
      <SignOut label="Sign in again" next={next} />
      <Link to={paths.newWorkspace} className={buttonStyle()}>
        Other workspaces
      </Link>
    </main>
  );
}

/** The provider that the sentence names. */
function Providers({ sentence, next }: { sentence: string; next: string }) {
  const providers = useQuery(signInMethodsQuery).data?.providers ?? [];
  return providers
    .filter(({ name }) => sentence.includes(`with ${name}.`))
    .map(({ id, name }) => (
      <a
        key={id}
        href={`/api/auth/oidc/${id}?next=${encodeURIComponent(next)}`}
        onClick={() => rememberProvider(name)}
        className={buttonStyle("primary")}
      >
        Sign in with {name}
      </a>
    ));
}
