import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { Pill } from "../../ui/pill.tsx";

interface FindBarProps {
  text: string;
  /** The current occurrence, from 0; -1 if there is none. */
  at: number;
  count: number;
  isCounting: boolean;
  onStep: (direction: 1 | -1) => void;
}

/** Steps through the occurrences of the searched text in the shown record. */
export function FindBar({ text, at, count, isCounting, onStep }: FindBarProps) {
  useShortcuts({ ".": () => onStep(1), ",": () => onStep(-1) });
  const position = at < 0 ? "" : `${(at + 1).toLocaleString("en")} of `;
  return (
    <div className="sticky -top-4 z-2 -mx-4 -mt-4 mb-4 flex min-h-10 items-center gap-1.5 border-b border-line bg-panel px-4 py-1 text-xs text-muted">
      <span className="min-w-0 truncate" title={text}>
        “{text}”
      </span>
      <span role="status" className="shrink-0 whitespace-nowrap tabular-nums">
        {count > 0 ? `${position}${count.toLocaleString("en")} here` : isCounting ? "" : "not on this tab"}
      </span>
      {count > 0 && (
        <span className="ml-auto flex shrink-0 gap-1">
          <Pill label="Previous occurrence" onClick={() => onStep(-1)}>
            ↑
          </Pill>
          <Pill label="Next occurrence" onClick={() => onStep(1)}>
            ↓
          </Pill>
        </span>
      )}
    </div>
  );
}
