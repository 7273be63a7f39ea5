import { Link } from "@tanstack/react-router";
import type { ComparedDecision, Comparison } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { tintedStyle } from "../ui/tinted-style.ts";
import { ContextKeys } from "./context-keys.tsx";
import { DecisionCell } from "./decision-cell.tsx";
import { DivergenceRates } from "./divergence-rates.tsx";
import { OPENED } from "./model/columns.ts";
import { RELATION_WORDS } from "./model/relation-words.ts";
import { Pair } from "./pair.tsx";

interface DivergenceProps {
  comparison: Comparison;
  agent: string | undefined;
  areAllKeysShown: boolean;
  onToggleKeys: () => void;
}

/** The first line on which the runs differ, with everything that is known about it. */
export function Divergence({ comparison, agent, areAllKeysShown, onToggleKeys }: DivergenceProps) {
  const { lines, divergence } = comparison;
  const line = divergence && lines[divergence.line];
  if (!divergence || !line || line.relation === "same") return null;
  const { relation, a, b } = line;
  const isContextTruncated = line.context?.isTruncated === true;
  const words = RELATION_WORDS[relation];
  const aId = comparison.a.id;
  const bId = comparison.b.id;
  return (
    <li data-difference className={`-mt-px border-y border-accent ${OPENED}`}>
      <section aria-labelledby="divergence">
        <div className="ml-[3px] flex min-h-9 flex-wrap items-center gap-x-2.5 bg-[color-mix(in_oklab,var(--color-accent)_10%,var(--color-bg))] py-1 pr-4">
          <span className="w-10 pr-3 text-right text-xs font-semibold tabular-nums max-md:w-7 max-md:pr-2">
            {divergence.line + 1}
          </span>
          <h2 id="divergence" className="-ml-2.5 text-base font-semibold">
            First divergence: {words.title}
          </h2>
          <span className="text-muted max-md:pl-7">{words.explanation(a?.options.length ?? 0)}</span>
          {relation === "flipped" && a && (
            <Link
              to={paths.scorecard}
              params={{ signature: a.signature }}
              search={agent ? { agent } : {}}
              className="ml-auto text-xs text-accent hover:underline max-md:ml-0 max-md:pl-7"
            >
              Scorecard of these options
            </Link>
          )}
        </div>
        <div className="py-1.5">
          <Pair
            a={
              a ? (
                <DecisionCell side="A" traceId={aId} decision={a} isRow isFilled />
              ) : (
                <GoesOn side="A" comparison={comparison} />
              )
            }
            label={
              <span className="rounded-[5px] bg-sunken px-2 font-semibold leading-5 text-text">
                {words.short}
              </span>
            }
            b={
              b ? (
                <DecisionCell side="B" traceId={bId} decision={b} isRow={!a} isFilled />
              ) : (
                <GoesOn side="B" comparison={comparison} />
              )
            }
          />
          {(a?.reasoning || b?.reasoning) && (
            <Pair a={a && <Reasoning decision={a} />} label="reasoning" b={b && <Reasoning decision={b} />} />
          )}
          <Pair
            a={a && <OptionList decision={a} />}
            label={
              relation === "flipped"
                ? `same ${a?.options.length} options`
                : a && b
                  ? "other options"
                  : "options"
            }
            b={b && <OptionList decision={b} />}
          />
          {divergence.rates && a && b && (
            <DivergenceRates rates={divergence.rates} agent={agent} a={a} b={b} />
          )}
        </div>
        {(divergence.context.length > 0 || isContextTruncated) && (
          <ContextKeys
            title="Context at that moment"
            keys={divergence.context}
            isTruncated={isContextTruncated}
            areAllShown={areAllKeysShown}
            onToggle={onToggleKeys}
          />
        )}
      </section>
    </li>
  );
}

function Reasoning({ decision: { type, reasoning } }: { decision: ComparedDecision }) {
  if (!reasoning) return <p className="text-muted">No reasoning was recorded.</p>;
  return (
    <blockquote
      className="min-h-12 whitespace-pre-line rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-1.5"
      style={tintedStyle(type)}
    >
      {reasoning}
    </blockquote>
  );
}

function OptionList({ decision: { type, options } }: { decision: ComparedDecision }) {
  const [chosen, ...others] = options;
  return (
    <ul aria-label="Options" className="flex min-w-0 flex-wrap gap-1">
      <li
        className="tinted relative max-w-full truncate rounded-[5px] border border-current px-1.5 text-xs font-semibold leading-5"
        style={tintedStyle(type)}
      >
        <span aria-hidden="true">◆ </span>
        {chosen}
        <span className="sr-only"> (chosen)</span>
      </li>
      {others.map((option) => (
        <li
          key={option}
          className="max-w-full truncate rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted"
        >
          {option}
        </li>
      ))}
    </ul>
  );
}

/** What a run does instead of deciding here. */
function GoesOn({ side, comparison }: { side: "A" | "B"; comparison: Comparison }) {
  const { lines, divergence } = comparison;
  const key = side === "A" ? "a" : "b";
  const next = lines.slice(divergence?.line).find((line) => line[key])?.[key];
  return (
    <p className="text-muted">
      {next ? (
        <>
          {side} goes on to <span className="font-medium text-text">{next.option}</span>
        </>
      ) : (
        `${side} decides no more`
      )}
    </p>
  );
}
