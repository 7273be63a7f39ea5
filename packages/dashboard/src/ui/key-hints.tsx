import { Kbd } from "./badges.tsx";

export type KeyHint = readonly [keys: readonly string[], action: string];

/** The keys of a page, in its footer. A dash stands between the first and the last of a row of keys. */
export function KeyHints({ hints }: { hints: readonly KeyHint[] }) {
  return (
    <ul
      aria-hidden="true"
      className="ml-auto flex gap-3.5 whitespace-nowrap text-xs text-muted max-lg:hidden"
    >
      {hints.map(([keys, action]) => (
        <li key={action} className="flex gap-1">
          {keys.map((key) => (key === "–" ? "–" : <Kbd key={key}>{key}</Kbd>))}
          {action}
        </li>
      ))}
    </ul>
  );
}
