import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError, api } from "../client/api.ts";
import { useLiveState, useLiveUpdates } from "../client/live.ts";
import { paths } from "../paths.ts";
import { SampleLink } from "../shell/sample-link.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { ErrorNotice, LoadError, Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SnippetTabs } from "../ui/snippet-tabs.tsx";
import { FrameworkLinks } from "./framework-links.tsx";
import { MaskingNote } from "./masking-note.tsx";
import { snippets } from "./snippets.ts";

const ROUTE = "/signed-in/welcome";
const route = getRouteApi(ROUTE);

export const welcomePage = createLazyRoute(ROUTE)({ component: WelcomePage });

/** How often to poll while the live stream is not connected. */
const POLL_INTERVAL_MS = 1_000;

/** The first steps: create a key, run a snippet that contains it, and see the trace open automatically. */
function WelcomePage() {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => api("POST /api/keys", { body: { name: "First key" } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["api-keys"] }),
  });
  return (
    <>
      <PageHeader title="Send your first trace">
        <SampleLink className={`${buttonStyle()} md:ml-auto`}>Look at a sample first</SampleLink>
      </PageHeader>
      <ol className="grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 p-4">
        <li className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">1. Create an API key</h2>
          {create.data ? (
            <>
              <Notice tone="retry">Copy your key now. You won't be able to see it again.</Notice>
              <div className="flex flex-wrap items-center gap-2">
                <code className="break-all rounded-md border border-line bg-panel px-2 py-1 font-mono text-xs">
                  {create.data.key}
                </code>
                <CopyButton text={create.data.key} label="Copy key" />
              </div>
            </>
          ) : (
            <>
              {create.error && <ErrorNotice error={create.error} />}
              <div>
                <Button kind="primary" disabled={create.isPending} onClick={() => create.mutate()}>
                  Create API key
                </Button>
              </div>
            </>
          )}
        </li>
        <SendStep apiKey={create.data?.key} />
        <WaitStep />
      </ol>
    </>
  );
}

/** `crypto.randomUUID` does not exist on pages that are served over plain HTTP. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

function SendStep({ apiKey }: { apiKey: string | undefined }) {
  const [id] = useState(randomId);
  const [now] = useState(() => new Date().toISOString());
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">2. Send a trace</h2>
      <FrameworkLinks />
      <SnippetTabs
        label="How to send it"
        snippets={snippets(location.origin, apiKey ?? "YOUR_API_KEY", id, now)}
        copyLabel="Copy snippet"
        codeLabel={(label) => `${label} snippet`}
      />
      <MaskingNote />
    </li>
  );
}

function WaitStep() {
  const navigate = route.useNavigate();
  const isLive = useLiveState() === "live";
  const newest = useQuery({
    queryKey: ["traces", "first"],
    queryFn: ({ signal }) => api("GET /api/traces", { query: { limit: 1 }, signal }),
    refetchInterval: ({ state: { error } }) => {
      if (isLive && !error) return false;
      return error instanceof ApiError && error.retryAfterSeconds
        ? error.retryAfterSeconds * 1_000
        : POLL_INTERVAL_MS;
    },
  });
  useLiveUpdates(() => void newest.refetch());
  // Users who already have traces wait for the next one.
  const [initialCount, setInitialCount] = useState<number>();
  const total = newest.data?.total;
  useEffect(() => {
    if (total !== undefined) setInitialCount((before) => before ?? total);
  }, [total]);
  const arrived =
    initialCount !== undefined && total !== undefined && total > initialCount
      ? newest.data?.traces[0]
      : undefined;
  useEffect(() => {
    if (arrived) void navigate({ to: paths.trace, params: { id: arrived.id } });
  }, [arrived, navigate]);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">3. View it here</h2>
      {newest.error ? (
        <LoadError error={newest.error} onRetry={() => void newest.refetch()} />
      ) : (
        <p role="status" className="flex items-center gap-2 text-muted">
          <span aria-hidden="true" className="size-2 rounded-full bg-running motion-safe:animate-pulse" />
          Waiting for a trace. It will open automatically.
        </p>
      )}
      <div>
        <Link to={paths.traces} className={buttonStyle()}>
          Skip to traces
        </Link>
      </div>
    </li>
  );
}
