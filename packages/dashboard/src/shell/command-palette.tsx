import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { TraceRow } from "@whytrace/contract";
import { useEffect, useId, useState } from "react";
import { api } from "../client/api.ts";
import { isSample, workspaceSlug } from "../client/base-path.ts";
import { MIN_SEARCH_LENGTH } from "../client/read-search.ts";
import { useSession } from "../client/session.ts";
import { paths } from "../paths.ts";
import { Dialog } from "../ui/controls/dialog.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { formatDate } from "../ui/format/format.ts";
import { useDebounced } from "../ui/hooks/use-debounced.ts";
import { openWorkspace } from "./enter-workspace.ts";
import { toggleTheme } from "./theme.ts";

interface CommandPaletteProps {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Ids have no spaces, and nearly always a digit. */
const LOOKS_LIKE_ID = /^(?=\S*\d)\S{6,}$/;

const TYPING_PAUSE_MS = 200;
const MAX_TRACES = 5;

/** Finds pages, actions and traces by part of their name, opens a trace by its id and an issue by its number, and searches for the text. */
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

interface Command {
  /** Without it, the label is unique. */
  key?: string;
  label: string;
  note?: string;
  run: () => void;
}

function Commands({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const { workspaces } = useSession();
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const all: Command[] = [
    { label: "Inbox: issues", run: () => void navigate({ to: paths.issues }) },
    { label: "My issues", run: () => void navigate({ to: paths.issues, search: { assignee: "me" } }) },
    { label: "Alerts and channels", run: () => void navigate({ to: paths.alerts }) },
    { label: "Traces", run: () => void navigate({ to: paths.traces }) },
    { label: "Bad runs", run: () => void navigate({ to: paths.traces, search: { outcome: "bad" } }) },
    {
      label: "Traces with status ERROR",
      run: () => void navigate({ to: paths.traces, search: { status: "ERROR" } }),
    },
    { label: "Decisions", run: () => void navigate({ to: paths.decisions }) },
    { label: "Why: choices that make the difference", run: () => void navigate({ to: paths.why }) },
    { label: "Scores", run: () => void navigate({ to: paths.scores }) },
    { label: "Review runs", run: () => void navigate({ to: paths.reviewRuns }) },
    { label: "Rules for decisions", run: () => void navigate({ to: paths.rules }) },
    { label: "What counts as bad", run: () => void navigate({ to: paths.outcomes }) },
    { label: "Masking", run: () => void navigate({ to: paths.masking }) },
    { label: "Agents and their releases", run: () => void navigate({ to: paths.agents }) },
    { label: "Sessions", run: () => void navigate({ to: paths.agentSessions }) },
    ...(isSample
      ? []
      : [
          { label: "Settings of the workspace", run: () => void navigate({ to: paths.general }) },
          { label: "Members", run: () => void navigate({ to: paths.members }) },
          { label: "API keys", run: () => void navigate({ to: paths.apiKeys }) },
          { label: "Billing", run: () => void navigate({ to: paths.billing }) },
          { label: "Account", run: () => void navigate({ to: paths.account }) },
          ...(workspaceSlug === undefined ? [] : workspaces)
            .filter(({ slug }) => slug !== workspaceSlug)
            .map(({ id, slug, name }) => ({
              key: id,
              label: `Switch to ${name}`,
              run: () => openWorkspace(slug),
            })),
        ]),
    { label: "What words mean", run: () => void navigate({ to: paths.words }) },
    { label: "Toggle light and dark theme", run: toggleTheme },
    { label: "Documentation", run: () => location.assign("/docs") },
    { label: "API reference", run: () => location.assign("/docs/api") },
  ];
  const traces = useTracesNamed(text);
  const found = all.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const traceId = text.trim();
  if (LOOKS_LIKE_ID.test(traceId))
    found.unshift({
      label: `Open trace ${traceId}`,
      run: () => void navigate({ to: paths.trace, params: { id: traceId } }),
    });
  const [, number] = /^#?(\d{1,9})$/.exec(traceId) ?? [];
  if (number !== undefined)
    found.unshift({
      label: `Open issue #${number}`,
      run: () => void navigate({ to: paths.issue, params: { number } }),
    });
  if (text) {
    found.push({
      label: `Search issues for “${text}”`,
      run: () => void navigate({ to: paths.issues, search: { search: text } }),
    });
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
  // Last: they come later than the others, which must not move.
  for (const { id, name, startedAt } of traces)
    found.push({
      key: id,
      label: name,
      note: formatDate(Date.parse(startedAt)),
      run: () => void navigate({ to: paths.trace, params: { id } }),
    });
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
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
        {found.map(({ label, note, key = label }, index) => (
          <div
            key={key}
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
            {note && <span className="text-xs text-muted"> · Trace of {note}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The newest traces whose name contains the text, as soon as the user pauses. */
function useTracesNamed(text: string): TraceRow[] {
  const search = useDebounced(text.trim(), TYPING_PAUSE_MS);
  const { data } = useQuery({
    queryKey: ["traces", "palette", search],
    queryFn: ({ signal }) => api("GET /api/traces", { query: { search, limit: MAX_TRACES }, signal }),
    enabled: search.length >= MIN_SEARCH_LENGTH,
    // While the next letter is being searched for, the rows stay where they are.
    placeholderData: keepPreviousData,
  });
  return search.length >= MIN_SEARCH_LENGTH && text ? (data?.traces ?? []) : [];
}
