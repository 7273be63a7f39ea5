import { Kbd } from "./badges.tsx";
import { useShortcuts } from "./hooks/use-shortcuts.ts";

/** Floats over a list, without moving its rows, when newer rows exist. A click or `r` shows them. */
export function NewRowsButton({ newCount, onShow }: { newCount: number | undefined; onShow: () => void }) {
  useShortcuts({ r: onShow });
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-7 z-10 flex h-0 justify-center max-md:top-2 max-md:justify-end max-md:pr-3"
    >
      {newCount !== undefined && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-7 items-center gap-2 rounded-full bg-accent px-3.5 font-medium text-bg shadow-md hover:opacity-90 md:-translate-y-3/4 max-md:mt-1 max-md:h-11"
        >
          {newCount > 0 ? `${newCount.toLocaleString("en")} new` : "Show changes"}
          <span className="max-md:hidden">
            <Kbd>r</Kbd>
          </span>
        </button>
      )}
    </div>
  );
}
