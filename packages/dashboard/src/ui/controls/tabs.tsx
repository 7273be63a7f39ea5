import type { KeyboardEvent, ReactNode } from "react";

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly { tab: T; label: string }[];
  value: T;
  onChange: (tab: T) => void;
  children: ReactNode;
}

/** The ARIA tabs pattern with automatic activation: arrow keys select the next tab. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: TabsProps<T>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ tab }) => tab === value);
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = moves[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.tab);
    document.getElementById(`tab-${next.tab}`)?.focus();
  };
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="flex shrink-0 flex-wrap gap-x-4 border-b border-line px-4"
      >
        {tabs.map(({ tab, label: tabLabel }) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === value}
            aria-controls="tab-panel"
            tabIndex={tab === value ? 0 : -1}
            onClick={() => onChange(tab)}
            className="h-10 shrink-0 whitespace-nowrap border-b-2 border-transparent font-medium text-muted outline-offset-[-2px] hover:text-text aria-selected:border-accent aria-selected:text-text max-sm:h-11"
          >
            {tabLabel}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id="tab-panel"
        aria-labelledby={`tab-${value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-4 outline-offset-[-2px]"
      >
        {children}
      </div>
    </>
  );
}
