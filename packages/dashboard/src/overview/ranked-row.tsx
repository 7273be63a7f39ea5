import type { ReactNode } from "react";

/** A row of a ranking. The width of its background shows its share of the top row's value. */
export function RankedRow({ share, tint, children }: { share: number; tint: string; children: ReactNode }) {
  return (
    <li className={`relative flex items-center gap-3 border-t border-line/60 px-3 first:border-0 ${tint}`}>
      <span
        aria-hidden="true"
        className="absolute inset-y-1 left-1 rounded-sm bg-[color-mix(in_oklab,var(--tint)_9%,transparent)]"
        style={{ width: `calc(${share * 100}% - 8px)` }}
      />
      <span className="relative flex min-w-0 flex-1 items-center gap-3">{children}</span>
    </li>
  );
}
