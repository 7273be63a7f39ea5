import type { RouteBody, RouteResponse } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../../client/api.ts";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import type { ChannelKind } from "../model/alert-types.ts";
import { InlineSelect } from "../model/inline-select.tsx";
import { useAlertChange } from "../model/use-alert-change.ts";
import {
  CHANNEL_KINDS,
  CHANNEL_NAMES,
  DEFAULT_URLS,
  EVENTS,
  SECRET_LABELS,
  URL_HINTS,
} from "./channel-words.ts";

interface ChannelFormProps {
  /** With the id of the channel that was made. */
  onDone: (id: string | undefined) => void;
}

/** Makes a channel. The secret of a webhook is shown once. */
export function ChannelForm({ onDone }: ChannelFormProps) {
  const [kind, setKind] = useState<ChannelKind>("slack");
  const [created, setCreated] = useState<RouteResponse<"POST /api/alerts/channels">>();
  const create = useAlertChange(
    (body: RouteBody<"POST /api/alerts/channels">) => api("POST /api/alerts/channels", { body }),
    (channel) => (channel.secret === undefined ? onDone(channel.id) : setCreated(channel)),
  );
  if (created?.secret !== undefined)
    return (
      <div className="grid gap-3">
        <p>Messages are signed with this secret. It is shown only now.</p>
        <code className="break-all rounded-md border border-line bg-panel p-2.5 font-mono text-xs">
          {created.secret}
        </code>
        <div className="flex gap-2">
          <CopyButton text={created.secret} />
          <Button kind="primary" onClick={() => onDone(created.id)}>
            Done
          </Button>
        </div>
      </div>
    );
  const secretLabel = SECRET_LABELS[kind];
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const secret = String(fields.get("secret") ?? "");
        create.mutate({
          kind,
          name: String(fields.get("name")).trim(),
          url: String(fields.get("url")).trim(),
          ...(secret && { secret }),
          events: EVENTS.map(([type]) => type).filter((type) => fields.getAll("events").includes(type)),
        });
      }}
    >
      <div className="flex items-center gap-2">
        Send to
        <InlineSelect
          label="Kind of channel"
          value={kind}
          options={CHANNEL_KINDS.map((value) => ({ value, label: CHANNEL_NAMES[value] }))}
          onChange={(value) => {
            const next = CHANNEL_KINDS.find((one) => one === value);
            if (next) setKind(next);
          }}
        />
      </div>
      <Field label="Name" name="name" required maxLength={100} placeholder="#agent-alerts" />
      <Field
        key={kind}
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2_000}
        autoComplete="off"
        defaultValue={DEFAULT_URLS[kind] ?? ""}
        placeholder="https://"
        hint={URL_HINTS[kind]}
      />
      {secretLabel !== undefined && (
        <Field label={secretLabel} name="secret" type="password" required autoComplete="off" />
      )}
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">Tell about</legend>
        {EVENTS.map(([type, words]) => (
          <label key={type} className="flex items-center gap-2 max-sm:min-h-11">
            <input type="checkbox" name="events" value={type} defaultChecked />
            {words}
          </label>
        ))}
      </fieldset>
      {create.error && <ErrorNotice error={create.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Create
        </Button>
        <Button onClick={() => onDone(undefined)}>Cancel</Button>
      </div>
    </form>
  );
}
