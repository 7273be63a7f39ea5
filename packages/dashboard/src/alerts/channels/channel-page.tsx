import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../client/api.ts";
import { isSample } from "../../client/base-path.ts";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { EmptyState, ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { Channel } from "../model/alert-types.ts";
import { channelsQuery } from "../model/alerts-queries.ts";
import { type AlertsSearch, DELIVERY_VIEWS } from "../model/alerts-search.ts";
import { DeleteButton } from "../model/delete-button.tsx";
import { useAlertChange } from "../model/use-alert-change.ts";
import { DeliveryLog } from "./delivery-log.tsx";

interface ChannelPageProps {
  search: AlertsSearch;
  onShow: (search: AlertsSearch) => void;
}

/** A channel and its log of deliveries. */
export function ChannelPage({ search, onShow }: ChannelPageProps) {
  const channels = useQuery(channelsQuery);
  return (
    <QueryResult query={channels} skeleton={<SkeletonRows count={6} />}>
      {({ channels: all }) => {
        const channel = all.find(({ id }) => id === search.channel);
        return channel ? (
          <OneChannel channel={channel} search={search} onShow={onShow} />
        ) : (
          <EmptyState title="There is no such channel">
            <Button onClick={() => onShow({ view: "channels" })}>All channels</Button>
          </EmptyState>
        );
      }}
    </QueryResult>
  );
}

function OneChannel({ channel, search, onShow }: ChannelPageProps & { channel: Channel }) {
  const { name, url, isEnabled, disabledReason, failingSince } = channel;
  const { state = "all" } = search;
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <Link to={paths.alerts} search={{ view: "channels" }} className="text-accent hover:underline">
          Channels
        </Link>
        <span aria-hidden="true" className="text-muted">
          /
        </span>
        <h1 className="min-w-0 break-words text-lg font-semibold">{name}</h1>
        <b className={`text-xs font-semibold ${isEnabled ? "text-completed" : "text-error"}`}>
          {isEnabled ? "Enabled" : "Disabled"}
        </b>
        <code className="min-w-0 truncate rounded border border-line px-1.5 font-mono text-xs leading-5 text-muted">
          {url}
        </code>
        {!isSample && <ChannelActions channel={channel} onDeleted={() => onShow({ view: "channels" })} />}
      </div>
      {(disabledReason !== null || failingSince !== null) && (
        <p className="px-4 pb-2 text-error">
          {disabledReason ?? (
            <>
              Nothing was delivered since <RelativeTime instant={failingSince ?? ""} />
            </>
          )}
        </p>
      )}
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 border-t border-line p-4">
        <div className="flex flex-wrap items-center gap-3">
          <SegmentedControl
            label="Deliveries"
            options={DELIVERY_VIEWS}
            value={state}
            onChange={(next) =>
              onShow(
                omitEmpty({
                  view: "channels",
                  channel: channel.id,
                  state: next === "all" ? undefined : next,
                } satisfies AlertsSearch),
              )
            }
          />
          <span className="ml-auto text-xs text-muted">kept for 30 days, bodies for 7</span>
        </div>
        <DeliveryLog channelId={channel.id} search={search} onShow={onShow} />
      </div>
    </>
  );
}

function ChannelActions({ channel, onDeleted }: { channel: Channel; onDeleted: () => void }) {
  const { id, kind, name, isEnabled } = channel;
  const params = { id };
  const [secret, setSecret] = useState<string>();
  const [isTested, setIsTested] = useState(false);
  const test = useAlertChange(
    () => api("POST /api/alerts/channels/:id/test", { params }),
    () => setIsTested(true),
  );
  const toggle = useAlertChange(() =>
    api("PATCH /api/alerts/channels/:id", { params, body: { isEnabled: !isEnabled } }),
  );
  const rotate = useAlertChange(
    () => api("POST /api/alerts/channels/:id/secret", { params }),
    (rotated) => setSecret(rotated.secret),
  );
  const error = test.error ?? toggle.error ?? rotate.error;
  return (
    <>
      <span className="ml-auto flex flex-wrap gap-2 max-md:ml-0 max-sm:w-full max-sm:[&>*]:flex-1">
        <Button
          disabled={test.isPending || !isEnabled}
          title={isEnabled ? undefined : "Enable the channel first"}
          onClick={() => test.mutate()}
        >
          {isTested ? "Test sent" : "Send a test"}
        </Button>
        {kind === "webhook" && (
          <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate secret
          </Button>
        )}
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
          {isEnabled ? "Disable" : "Enable"}
        </Button>
        <DeleteButton
          what={`the channel ${name}`}
          consequence="It sends nothing more, also nothing of what waits. This cannot be undone."
          remove={() => api("DELETE /api/alerts/channels/:id", { params })}
          onDeleted={onDeleted}
        />
      </span>
      {error && (
        <div className="basis-full">
          <ErrorNotice error={error} />
        </div>
      )}
      <Dialog title="New secret" isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        <p>It is shown only now. For 24 hours the old one signs, too.</p>
        <code className="break-all rounded-md border border-line bg-panel p-2.5 font-mono text-xs">
          {secret}
        </code>
        <div>
          <CopyButton text={secret ?? ""} />
        </div>
      </Dialog>
    </>
  );
}
