import type { ReactNode } from "react";

interface PanelProps {
  title: string;
  /** Beside the title. */
  note?: ReactNode;
  /** At the right edge of the header. */
  legend?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled section with a border. */
export function Panel({ title, note, legend, className = "", children }: PanelProps) {
  return (
    <section aria-label={title} className={`min-w-0 rounded-md border border-line ${className}`}>
      <header className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <h2 className="font-semibold">{title}</h2>
        {note && <span className="text-xs text-muted">{note}</span>}
        <div className="ml-auto min-w-0 max-w-full text-xs text-muted">{legend}</div>
      </header>
      {children}
    </section>
  );
}
