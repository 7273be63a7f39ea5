import { useState } from "react";
import type { Ignoring } from "../issues/change-issues.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { Field } from "../ui/controls/field.tsx";
import { MenuButton, type MenuItem } from "../ui/controls/menu-button.tsx";

const DAY_MS = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

interface IgnoreMenuProps {
  onIgnore: (ignoring: Ignoring) => void;
}

/** Until when an issue is ignored. */
export function IgnoreMenu({ onIgnore }: IgnoreMenuProps) {
  const [isPicking, setIsPicking] = useState(false);
  const items: MenuItem[] = [
    ...[10, 100, 1_000].map((runs) => ({
      label: `Until ${runs.toLocaleString("en")} more runs`,
      onSelect: () => onIgnore({ untilRuns: runs }),
    })),
    { label: "Until tomorrow", onSelect: () => onIgnore({ untilDate: inDays(1) }) },
    { label: "Until next week", onSelect: () => onIgnore({ untilDate: inDays(7) }) },
    { label: "Until a date …", onSelect: () => setIsPicking(true) },
    { label: "For ever", onSelect: () => onIgnore({}) },
  ];
  return (
    <>
      <MenuButton
        label="Ignore"
        className={`${buttonStyle()} w-full`}
        menuClassName="left-0 w-56"
        items={items}
      >
        Ignore <span aria-hidden="true">▾</span>
      </MenuButton>
      <Dialog title="Ignore until" isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const day = new FormData(event.currentTarget).get("day");
            setIsPicking(false);
            if (typeof day === "string") onIgnore({ untilDate: `${day}T00:00:00.000Z` });
          }}
        >
          <Field
            label="Day"
            name="day"
            type="date"
            required
            min={inDays(1).slice(0, 10)}
            hint="It opens again at 00:00 UTC of this day. Until then nothing is announced."
          />
          <div className="flex gap-2">
            <Button type="submit" kind="primary">
              Ignore
            </Button>
            <Button onClick={() => setIsPicking(false)}>Cancel</Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
