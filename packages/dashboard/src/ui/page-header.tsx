import type { ReactNode } from "react";

/** A page's title, the number of items on it, and its controls. */
export function PageHeader({
  title,
  count,
  children,
}: {
  title: string;
  count?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <h1 className="text-lg font-semibold">{title}</h1>
      <span aria-live="polite" className="text-muted">
        {count}
      </span>
      {children}
    </div>
  );
}
