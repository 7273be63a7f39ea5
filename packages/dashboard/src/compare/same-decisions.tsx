import type { Comparison } from "@whytrace/contract";
import { ContextKeys } from "./context-keys.tsx";
import { OPENED } from "./model/columns.ts";

interface SameDecisionsProps {
  comparison: Comparison;
  areAllKeysShown: boolean;
  onToggleKeys: () => void;
}

/** Both runs decided the same: what else is different. */
export function SameDecisions({ comparison, areAllKeysShown, onToggleKeys }: SameDecisionsProps) {
  const { a, b, lines, contextDivergence } = comparison;
  const end = a.status === b.status ? "the same end" : "another end";
  const decision = contextDivergence && lines[contextDivergence.line]?.a;
  return (
    <section aria-labelledby="same-decisions" className={`border-b border-accent ${OPENED}`}>
      <h2
        id="same-decisions"
        className="ml-[3px] flex min-h-9 items-center gap-2 bg-[color-mix(in_oklab,var(--color-accent)_10%,var(--color-bg))] px-4 text-base font-semibold"
      >
        {lines.length === 0
          ? "Neither run recorded decisions"
          : lines.length === 1
            ? `The same decision, ${end}`
            : `The same ${lines.length.toLocaleString("en")} decisions, ${end}`}
      </h2>
      {lines.length > 0 && (
        <p className="px-4 py-2">
          {contextDivergence && decision ? (
            <>
              The first difference is in the context of decision {contextDivergence.line + 1},{" "}
              <span className="font-semibold">{decision.option}</span>:
            </>
          ) : lines.some(({ context }) => context?.isTruncated) ? (
            "No difference was found in the contexts, but some are too large to be compared completely."
          ) : (
            "The contexts that were recorded are the same, too. Decisions do not explain what is different."
          )}
        </p>
      )}
      {contextDivergence && (
        <ContextKeys
          title={`Context of decision ${contextDivergence.line + 1}`}
          keys={contextDivergence.context}
          isTruncated={lines[contextDivergence.line]?.context?.isTruncated === true}
          areAllShown={areAllKeysShown}
          onToggle={onToggleKeys}
        />
      )}
    </section>
  );
}
