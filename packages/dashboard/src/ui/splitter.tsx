import type { KeyboardEvent } from "react";

interface SplitterProps {
  width: number;
  min: number;
  max: number;
  onWidth: (width: number) => void;
}

const STEP = 24;

/** Resizes the details panel, by dragging or with the arrow keys. */
export function Splitter({ width, min, max, onWidth }: SplitterProps) {
  const resizeTo = (next: number) => onWidth(Math.round(Math.max(min, Math.min(max, next))));
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
    resizeTo(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Details panel width"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          const right = event.currentTarget.parentElement?.getBoundingClientRect().right ?? 0;
          resizeTo(right - event.clientX);
        }
      }}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line before:absolute before:inset-y-0 before:-left-1 before:z-3 before:w-2.5 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}
