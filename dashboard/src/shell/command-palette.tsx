import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { paths } from "../paths.ts";
import { Dialog } from "../ui/controls/dialog.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { toggleTheme } from "./theme.ts";

interface CommandPaletteProps {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Ids have no spaces, and nearly always a digit. */
const LOOKS_LIKE_ID = /^(?=\S*\d)\S{6,}$/;

/** Finds pages and actions by part of their name, opens a trace by its id, and searches traces and decisions for the text. */
export function CommandPalette({ isOpen, onOpen, onClose }: CommandPaletteProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      onOpen();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onOpen]);
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={onClose}>
      <Commands onDone={onClose} />
    </Dialog>
  );
}

function Commands({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const all: { label: string; run: () => void }[] = [
    { label: "Traces", run: () => void navigate({ to: paths.traces }) },
    { label: "Failed traces", run: () => void navigate({ to: paths.traces, search: { status: "ERROR" } }) },
    { label: "Decisions", run: () => void navigate({ to: paths.decisions }) },
    { label: "Why: choices that make the difference", run: () => void navigate({ to: paths.why }) },
    { label: "Sessions", run: () => void navigate({ to: paths.agentSessions }) },
    { label: "API keys", run: () => void navigate({ to: paths.apiKeys }) },
    { label: "Billing", run: () => void navigate({ to: paths.billing }) },
    { label: "Account", run: () => void navigate({ to: paths.account }) },
    { label: "Toggle light and dark theme", run: toggleTheme },
    { label: "API reference", run: () => location.assign("/docs/api") },
  ];
  const found = all.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const traceId = text.trim();
  if (LOOKS_LIKE_ID.test(traceId))
    found.unshift({
      label: `Open trace ${traceId}`,
      run: () => void navigate({ to: paths.trace, params: { id: traceId } }),
    });
  if (text) {
    found.push({
      label: `Search traces for “${text}”`,
      run: () => void navigate({ to: paths.traces, search: { search: text } }),
    });
    found.push({
      label: `Search everything for “${text}”`,
      run: () => void navigate({ to: paths.traces, search: { search: text, in: "everything" } }),
    });
    found.push({
      label: `Search decisions for “${text}”`,
      run: () => void navigate({ to: paths.decisions, search: { search: text } }),
    });
  }
  const choose = (index: number) => {
    onDone();
    found[index]?.run();
  };
  return (
    <div className="grid gap-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: users open the palette to type into it
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={`${id}-${active}`}
        aria-label="Search, or paste the id of a trace"
        placeholder="Search, or paste the id of a trace"
        className={inputStyle}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step) setActive((active + step + found.length) % found.length);
          if (event.key === "Enter") choose(active);
          if (step || event.key === "Enter") event.preventDefault();
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="grid max-h-80 overflow-y-auto">
        {found.map(({ label }, index) => (
          <div
            key={label}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="cursor-pointer rounded-md px-2.5 py-1.5 aria-selected:bg-sunken"
            onMouseMove={() => setActive(index)}
            onClick={() => choose(index)}
            onKeyDown={() => {}}
          >
            {label}
          </div>
        ))}
      </div>
    </div>
  );
}
