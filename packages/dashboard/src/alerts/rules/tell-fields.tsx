import { useQuery } from "@tanstack/react-query";
import { useRoleRefusal } from "../../client/use-role.ts";
import type { Severity } from "../model/alert-types.ts";
import { channelsQuery } from "../model/alerts-queries.ts";
import { InlineSelect } from "../model/inline-select.tsx";
import type { RuleDraft } from "./rule-draft.ts";

interface TellFieldsProps {
  draft: RuleDraft;
  onChange: (change: Partial<RuleDraft>) => void;
}

const CHECK = "flex items-center gap-2 max-sm:min-h-11";
const REMINDERS = [
  { value: "", label: "never again" },
  { value: "1", label: "every hour" },
  { value: "4", label: "every 4 hours" },
  { value: "24", label: "once a day" },
];

const SEVERITIES: { value: Severity; label: string }[] = [
  { value: "critical", label: "critical" },
  { value: "error", label: "an error" },
  { value: "warning", label: "a warning" },
];

/** Whom a rule tells, and how often while it fires. */
export function TellFields({
  draft: { channels, mail, renotifyHours, severity },
  onChange,
}: TellFieldsProps) {
  const { data } = useQuery({ ...channelsQuery, enabled: useRoleRefusal("admin") === undefined });
  const all = data?.channels ?? [];
  const hasPager = all.some(({ kind }) => kind === "pagerduty");
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-xs text-muted">Tell</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <label className={CHECK}>
          <input
            type="checkbox"
            checked={mail}
            onChange={(event) => onChange({ mail: event.target.checked })}
          />
          members by mail
        </label>
        {all.length > 0 && (
          <label className={CHECK}>
            <input
              type="checkbox"
              checked={channels === null}
              onChange={(event) =>
                onChange({ channels: event.target.checked ? null : all.map(({ id }) => id) })
              }
            />
            all channels that take alerts
          </label>
        )}
        {channels !== null &&
          all.map(({ id, name }) => (
            <label key={id} className={CHECK}>
              <input
                type="checkbox"
                checked={channels.includes(id)}
                onChange={(event) =>
                  onChange({
                    channels: event.target.checked ? [...channels, id] : channels.filter((one) => one !== id),
                  })
                }
              />
              {name}
            </label>
          ))}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        While it fires, remind
        <InlineSelect
          label="Remind"
          value={renotifyHours === null ? "" : String(renotifyHours)}
          options={REMINDERS}
          onChange={(value) => onChange({ renotifyHours: value === "" ? null : Number(value) })}
        />
      </div>
      {hasPager && (
        <div className="flex flex-wrap items-center gap-2">
          PagerDuty treats it as
          <InlineSelect
            label="Severity"
            value={severity}
            options={SEVERITIES}
            onChange={(value) =>
              onChange({ severity: SEVERITIES.find((one) => one.value === value)?.value ?? "error" })
            }
          />
        </div>
      )}
    </fieldset>
  );
}
