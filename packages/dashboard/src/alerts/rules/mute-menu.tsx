import { api } from "../../client/api.ts";
import { buttonStyle } from "../../ui/controls/button.tsx";
import { MenuButton } from "../../ui/controls/menu-button.tsx";
import type { AlertRule } from "../model/alert-types.ts";
import { useAlertChange } from "../model/use-alert-change.ts";

const HOUR_MS = 3_600_000;
const DURATIONS: [label: string, hours: number][] = [
  ["For an hour", 1],
  ["For 4 hours", 4],
  ["Until tomorrow", 24],
  ["For a week", 168],
];

/** Silences a rule for a while: its state changes, but nobody is told. */
export function MuteMenu({ rule: { id, mutedUntil } }: { rule: AlertRule }) {
  const params = { id };
  const mute = useAlertChange((until: string) =>
    api("POST /api/alerts/rules/:id/mute", { params, body: { until } }),
  );
  const unmute = useAlertChange(() => api("DELETE /api/alerts/rules/:id/mute", { params }));
  const error = mute.error ?? unmute.error;
  const items = DURATIONS.map(([label, hours]) => ({
    label,
    onSelect: () => mute.mutate(new Date(Date.now() + hours * HOUR_MS).toISOString()),
  }));
  return (
    <span className="flex items-center gap-2 text-sm">
      {error && <span className="text-error">{error.message}</span>}
      <MenuButton
        label="Mute"
        className={buttonStyle()}
        menuClassName="right-0 w-48 text-text"
        items={mutedUntil === null ? items : [{ label: "Unmute", onSelect: () => unmute.mutate() }, ...items]}
      >
        {mutedUntil === null ? "Mute" : "Muted"} <span aria-hidden="true">▾</span>
      </MenuButton>
    </span>
  );
}
