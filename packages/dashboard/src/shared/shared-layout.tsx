import type { ReactNode } from "react";
import { Logo } from "../shell/shell.tsx";

/** The frame of a shared trace. It has no links: its reader may have no account. */
export function SharedLayout({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5">
        <span className="flex items-center gap-2 font-semibold">
          <Logo />
          Whytrace
        </span>
        <span className="text-xs text-muted">Shared trace, read-only{note}</span>
      </header>
      <main className="flex min-h-0 flex-1 flex-col">{children}</main>
    </div>
  );
}
