import { useState } from "react";
import { Kbd } from "../ui/badges.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { areShortcutsEnabled, PALETTE_KEYS, setShortcutsEnabled } from "../ui/hooks/use-shortcuts.ts";

const SHORTCUTS: [keys: string, action: string][] = [
  [PALETTE_KEYS, "Open the command palette"],
  ["g o", "Overview"],
  ["g i", "Inbox"],
  ["g t", "Traces"],
  ["g d", "Decisions"],
  ["g w", "Why"],
  ["g c", "Scores"],
  ["g a", "Agents"],
  ["g s", "Sessions"],
  ["g l", "Alerts"],
  ["g k", "API keys"],
  ["/", "Search the list or trace"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["r", "Show new rows"],
  ["x", "In the list of traces: select a trace, to compare, export or delete (X: all up to this one)"],
  ["n", "In a trace: next match (N: previous)"],
  [".", "In a trace: next occurrence in the details (,: previous)"],
  ["]", "In a trace: next decision ([: previous)"],
  ["e", "In a trace: next error or bad score"],
  ["b", "In a trace: only the decisions before the error; then ] and [ go through the suspects"],
  ["c", "In a trace: critical path"],
  ["f", "In a trace, with the pointer on a masked value: all traces with it"],
  ["s", "In a comparison: swap A and B (u: fold what is the same, p: pick a run)"],
  ["+", "In a trace, and on a row of the list: the run was good; at a decision: right"],
  ["-", "The run was bad; at a decision: wrong (0: take it back)"],
  ["1", "At a decision: right (2: wrong, 3: should have been)"],
  ["i", "In the inbox: ignore (e: resolve, a: assign to me, m: merge the selected, f: its traces, z: undo)"],
  ["t", "Toggle light and dark theme"],
  ["?", "Show keyboard shortcuts"],
];

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isEnabled, setIsEnabled] = useState(areShortcutsEnabled);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      {/* Before the list: a dialog scrolls to its first control. */}
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isEnabled}
          onChange={(event) => {
            setShortcutsEnabled(event.target.checked);
            setIsEnabled(event.target.checked);
          }}
        />
        Enable single-key shortcuts
      </label>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {SHORTCUTS.map(([keys, action]) => (
          <div key={keys} className="contents">
            <dt>
              <Kbd>{keys}</Kbd>
              <span className="sr-only">{keys}</span>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
