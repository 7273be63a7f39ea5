import type { KeyboardEvent } from "react";

interface SplitterProps {
  width: number;
  min: number;
  max: number;
  onWidth: (width: number) => void;
}

const STEP = 24;

/** Between the tree and the details: drag it, or move it with the arrow keys. */
export function Splitter({ width, min, max, onWidth }: SplitterProps) {
  const put = (next: number) => onWidth(Math.round(Math.max(min, Math.min(max, next))));
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: max,
      End: min,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    put(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the details"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          const right = event.currentTarget.parentElement?.getBoundingClientRect().right ?? 0;
          put(right - event.clientX);
        }
      }}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line before:absolute before:inset-y-0 before:-left-1 before:z-3 before:w-2.5 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}
