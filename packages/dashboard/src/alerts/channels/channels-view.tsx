import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isSample } from "../../client/base-path.ts";
import { useRoleRefusal } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Tag } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { Channel } from "../model/alert-types.ts";
import { channelsQuery } from "../model/alerts-queries.ts";
import type { AlertsSearch } from "../model/alerts-search.ts";
import { ChannelForm } from "./channel-form.tsx";
import { CHANNEL_NAMES } from "./channel-words.ts";

/** Where messages go. */
export function ChannelsView({ onShow }: { onShow: (search: AlertsSearch) => void }) {
  const refusal = useRoleRefusal("admin");
  return refusal === undefined ? (
    <Channels onShow={onShow} />
  ) : (
    <RoleNote needed="admin" act="Seeing and changing channels" />
  );
}

function Channels({ onShow }: { onShow: (search: AlertsSearch) => void }) {
  const channels = useQuery(channelsQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <Panel
        title="Channels"
        note="mail needs none: it is a setting of each member"
        legend={!isSample && <Button onClick={() => setIsAdding(true)}>New channel</Button>}
      >
        <QueryResult query={channels} skeleton={<SkeletonRows count={3} />}>
          {({ channels: all }) =>
            all.length === 0 ? (
              <p className="p-3 text-muted">
                No channel yet. A channel sends issues and alerts to Slack, Discord, Teams, PagerDuty,
                Opsgenie or your own webhook.
              </p>
            ) : (
              <ul>
                {all.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} />
                ))}
              </ul>
            )
          }
        </QueryResult>
      </Panel>
      <Dialog title="New channel" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <ChannelForm
          onDone={(id) => {
            setIsAdding(false);
            if (id !== undefined) onShow({ view: "channels", channel: id });
          }}
        />
      </Dialog>
    </div>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { id, kind, name, url, events, agents, isEnabled, disabledReason, failingSince } = channel;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line/60 px-3 py-2 last:border-0 hover:bg-panel focus-within:shadow-[inset_3px_0_var(--color-accent)]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link
            to={paths.alerts}
            search={{ view: "channels", channel: id }}
            className="font-semibold after:absolute after:inset-0 focus-visible:outline-none"
          >
            {name}
          </Link>
          <Tag>{CHANNEL_NAMES[kind]}</Tag>
        </p>
        <p className="truncate font-mono text-xs text-muted" title={url}>
          {url}
        </p>
        <p className="text-xs text-muted">
          {events.length} {events.length === 1 ? "kind" : "kinds"} of events,{" "}
          {agents.length === 0 ? "all agents" : agents.join(", ")}
        </p>
        {disabledReason !== null && <p className="text-xs text-error">{disabledReason}</p>}
      </div>
      <span className="text-right text-xs">
        {!isEnabled ? (
          <b className="font-semibold text-error">Disabled</b>
        ) : failingSince !== null ? (
          <span className="text-retry">
            failing since <RelativeTime instant={failingSince} />
          </span>
        ) : (
          <b className="font-semibold text-completed">Enabled</b>
        )}
      </span>
    </li>
  );
}
