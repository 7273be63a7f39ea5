import type { ReactNode } from "react";

/** A list of labels and values. Callers pass null to leave out an unknown value. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]} className="contents">
              <dt className="text-muted">{fact[0]}</dt>
              <dd className="min-w-0 break-words">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export function Heading({ children }: { children: ReactNode }) {
  return <h3 className="mb-1.5 mt-5 text-xs font-semibold text-muted">{children}</h3>;
}
