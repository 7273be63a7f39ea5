import { useState } from "react";
import { Kbd } from "../ui/badges.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { areShortcutsEnabled, setShortcutsEnabled } from "../ui/use-shortcuts.ts";

const KEYS: [keys: string, meaning: string][] = [
  ["⌘K", "Go anywhere"],
  ["g o", "Overview"],
  ["g t", "Traces"],
  ["g d", "Decisions"],
  ["g s", "Sessions"],
  ["g k", "API keys"],
  ["/", "Search in the list or the trace"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["r", "Show what is new"],
  ["n", "In a trace: next match (N: previous)"],
  ["]", "In a trace: next decision ([: previous)"],
  ["e", "In a trace: next error"],
  ["c", "In a trace: critical path"],
  ["t", "Light or dark"],
  ["?", "This help"],
];

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setIsOn] = useState(areShortcutsEnabled);
  return (
    <Dialog title="Keyboard" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <Kbd>{keys}</Kbd>
              <span className="sr-only">{keys}</span>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setShortcutsEnabled(event.target.checked);
            setIsOn(event.target.checked);
          }}
        />
        Single-key shortcuts
      </label>
    </Dialog>
  );
}
