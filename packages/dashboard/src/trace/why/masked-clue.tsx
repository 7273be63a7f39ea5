import type { MaskedContext } from "@whytrace/contract";

/** Why no clue was found: what is the same in all runs because it was masked. */
export function MaskedClue({ masked }: { masked: readonly MaskedContext[] }) {
  return (
    <p className="mt-1 text-xs text-muted">
      No clue.{" "}
      {masked.map(({ key, rule }, index) => (
        <span key={key}>
          {index > 0 && ", "}
          {key === null ? "The context" : <code className="break-words font-mono text-text">{key}</code>}{" "}
          {rule === null ? (
            "is masked"
          ) : (
            <>
              is masked by the rule <em className="text-text">{rule}</em>
            </>
          )}
        </span>
      ))}
      .
    </p>
  );
}
