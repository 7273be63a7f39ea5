import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ListedVerdict, maskText, type Scorecard, type VerdictCounts } from "@whytrace/contract";
import type { ReactNode } from "react";
import { paths } from "../../../paths.ts";
import { Author } from "../../../shell/author.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { QueryResult } from "../../../ui/query-result.tsx";
import { RelativeTime } from "../../../ui/relative-time.tsx";
import { SkeletonList } from "../../../ui/skeleton.tsx";
import { verdictCountsQuery } from "../../../verdicts/verdicts-query.ts";

/** What people said about each option: right, or what should have been chosen instead. */
export function VerdictMatrix({ card, action }: { card: Scorecard; action?: ReactNode }) {
  const query = useQuery(verdictCountsQuery(card.signature, card.agent ?? undefined));
  const counts = query.data?.counts ?? [];
  const wrong = sum(counts.map((one) => one.wrong));
  const judged = wrong + sum(counts.map((one) => one.right));
  return (
    <Panel
      title="Verdicts"
      note={judged > 0 && `${judged.toLocaleString("en")} judged · ${wrong.toLocaleString("en")} wrong`}
      legend={action}
    >
      <div className="px-3 py-2">
        <QueryResult query={query} skeleton={<SkeletonList count={3} />}>
          {(data) =>
            data.counts.length === 0 ? (
              <p className="text-muted">
                Nobody has judged this decision yet. Open it in a trace and say whether it was right: your
                verdicts show how often each option was, and become a dataset.
              </p>
            ) : (
              <>
                <Matrix card={card} counts={data.counts} />
                {data.lastNote && <LastNote verdict={data.lastNote} />}
              </>
            )
          }
        </QueryResult>
      </div>
    </Panel>
  );
}

function Matrix({ card, counts }: { card: Scorecard; counts: VerdictCounts["counts"] }) {
  const names = [...card.options.map(({ name }) => name), ...card.neverChosen];
  const byStep = new Map(counts.map((one) => [one.step, one]));
  const rows = card.options
    .map(({ step, name }) => ({ name, count: byStep.get(step) }))
    .filter(({ count }) => count);
  const columns = columnsOf(names, counts);
  const strongest = Math.max(
    1,
    ...counts.flatMap((one) => [one.right, ...one.shouldHaveBeen.map(({ verdicts }) => verdicts)]),
  );
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-center tabular-nums">
        <caption className="sr-only">Verdicts by the option chosen and what should have been chosen</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" rowSpan={2} className="py-1 pr-3 text-left font-normal">
              Chosen
            </th>
            <th scope="col" rowSpan={2} className="px-1 font-normal">
              right
            </th>
            <th scope="col" rowSpan={2} className="px-1 font-normal">
              wrong
            </th>
            {columns.length > 0 && (
              <th scope="colgroup" colSpan={columns.length} className="px-1 font-normal">
                should have been
              </th>
            )}
          </tr>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="max-w-32 truncate px-1 pb-1 font-normal" title={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row" className="max-w-40 truncate py-0.5 pr-3 text-left font-semibold" title={name}>
                {name}
              </th>
              <Cell count={count?.right ?? 0} share={(count?.right ?? 0) / strongest} color="completed" />
              <Cell count={unsaidOf(count)} share={unsaidOf(count) / strongest} color="error" />
              {columns.map((column) => {
                const verdicts = verdictsFor(count, column);
                return maskText(name) === column ? (
                  <td key={column} className="text-muted">
                    ·
                  </td>
                ) : (
                  <Cell key={column} count={verdicts} share={verdicts / strongest} color="error" />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Count = VerdictCounts["counts"][number];

/** The options that should have been chosen: those of the decision first, in its order. */
function columnsOf(names: string[], counts: Count[]): string[] {
  const said = new Set(counts.flatMap((one) => one.shouldHaveBeen.map(({ option }) => option)));
  const known = names.map(maskText).filter((name) => said.has(name));
  return [...new Set([...known, ...said])];
}

const verdictsFor = (count: Count | undefined, option: string) =>
  count?.shouldHaveBeen.find((one) => one.option === option)?.verdicts ?? 0;

/** Wrong, without saying what should have been. */
const unsaidOf = (count: Count | undefined) =>
  count ? count.wrong - sum(count.shouldHaveBeen.map(({ verdicts }) => verdicts)) : 0;

const TINTS = { completed: "[--tint:var(--color-completed)]", error: "[--tint:var(--color-error)]" } as const;

function Cell({ count, share, color }: { count: number; share: number; color: keyof typeof TINTS }) {
  // Up to a quarter of the colour, so that the text stays readable in both themes.
  const background = `color-mix(in oklab, var(--tint) ${Math.round(4 + 22 * share)}%, var(--color-bg))`;
  return (
    <td className={`p-0.5 ${TINTS[color]}`}>
      <span
        style={count > 0 ? { background } : {}}
        className={`block min-w-10 rounded px-2 py-1 ${count > 0 ? "font-semibold" : "text-muted"}`}
      >
        {count}
      </span>
    </td>
  );
}

function LastNote({ verdict }: { verdict: ListedVerdict }) {
  const { note, option, shouldHaveBeen, traceId, decisionPointId, createdAt, createdBy } = verdict;
  return (
    <figure className="mt-2 border-l-[3px] border-line pl-3">
      <blockquote className="whitespace-pre-wrap break-words">“{note}”</blockquote>
      <figcaption className="text-xs text-muted">
        {option}: {verdict.verdict}
        {shouldHaveBeen && `, should have been ${shouldHaveBeen}`}
        {createdBy && (
          <>
            {" "}
            · by <Author person={createdBy} />
          </>
        )}{" "}
        ·{" "}
        <Link
          to={paths.trace}
          params={{ id: traceId }}
          search={{ decision: decisionPointId }}
          className="font-medium text-accent underline"
        >
          {verdict.agent}, <RelativeTime instant={createdAt} />
        </Link>
      </figcaption>
    </figure>
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
