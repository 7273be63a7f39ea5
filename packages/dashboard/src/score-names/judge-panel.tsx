import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { agreementWords, type JudgeAgreement } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { Term } from "../shell/term.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import { type IntervalScale, linearScale } from "../ui/intervals/interval-scale.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { judgedBadShares } from "./judged-bad-shares.ts";
import { agreementQuery } from "./score-queries.ts";
import type { ScoresSearch } from "./scores-search.ts";

interface JudgePanelProps {
  name: string;
  author: string | null;
  search: ScoresSearch;
}

export const JUDGE_TITLE = "Can you trust this judge?";

/** More labels make a table that nobody reads. */
const MAX_SHOWN_LABELS = 4;

const LINK = "font-medium text-accent hover:underline";

/** Whether a judge agrees with people, in words and figures, and the way to find out. */
export function JudgePanel({ name, author, search }: JudgePanelProps) {
  const { agent } = search;
  const query = useQuery(agreementQuery({ name, author, agent }));
  const review = omitEmpty({ agent, judge: name, judgeAuthor: author ?? undefined });
  return (
    <Panel title={JUDGE_TITLE} note={<JudgeNote author={author} />}>
      <QueryResult query={query} skeleton={<SkeletonRows count={4} />}>
        {(agreement) => (
          <>
            <div className="grid gap-3 p-3">
              <Figures agreement={agreement} />
              <p className="text-xs text-muted">{reviewedWords(agreement)}</p>
              {agreement.leftOut > 0 && (
                <p className="text-xs text-muted">
                  {agreement.leftOut.toLocaleString("en")} judged runs are left out: numbers that no condition
                  cuts, or judgements that contradict each other.{" "}
                  <Link to={paths.outcomes} search={omitEmpty({ agent })} className={LINK}>
                    Say from which value on it is bad
                  </Link>
                </p>
              )}
              <Confusion agreement={agreement} />
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line p-3">
              <p className="min-w-0 flex-1 basis-64">
                <b className="font-semibold">{agreementWords(agreement)}</b>{" "}
                <span className="text-muted">{shareWords(agreement)}</span>
              </p>
              <Link to={paths.reviewRuns} search={review} className={buttonStyle()}>
                Review 20 runs
              </Link>
            </div>
          </>
        )}
      </QueryResult>
    </Panel>
  );
}

const SHARES: IntervalScale = linearScale([1]);
const KAPPAS: IntervalScale = linearScale([-0.2, 1]);
const percent = (share: number) => String(Math.round(share * 100));
const kappaText = (kappa: number) => kappa.toFixed(2);

const JudgeNote = ({ author }: Pick<JudgePanelProps, "author">) => (
  <>
    {author ?? "without an author"} · <Term word="judge">What is a judge?</Term>
  </>
);

function Figures({ agreement: { agreement, kappa } }: { agreement: JudgeAgreement }) {
  if (!agreement && !kappa) return null;
  return (
    <dl className="grid gap-1.5">
      {agreement && (
        <Figure
          label="Agreement"
          interval={agreement}
          scale={SHARES}
          value={formatPercent(agreement.value)}
          between={`${percent(agreement.low)} to ${percent(agreement.high)}`}
        />
      )}
      {kappa && (
        <Figure
          label="Cohen's κ"
          interval={kappa}
          scale={KAPPAS}
          value={kappaText(kappa.value)}
          between={`${kappaText(kappa.low)} to ${kappaText(kappa.high)}`}
        />
      )}
    </dl>
  );
}

interface FigureProps {
  label: string;
  interval: NonNullable<JudgeAgreement["kappa"]>;
  scale: IntervalScale;
  value: string;
  between: string;
}

function Figure({ label, interval, scale, value, between }: FigureProps) {
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)_8rem] items-center gap-3 max-sm:grid-cols-[5rem_minmax(0,1fr)_7rem]">
      <dt>{label}</dt>
      <dd className="contents">
        <IntervalMark {...interval} scale={scale} label={`${label} ${value}, ${between}`} />
        <span className="whitespace-nowrap text-right">
          <b className="font-semibold">{value}</b> <span className="text-muted">{between}</span>
        </span>
      </dd>
    </div>
  );
}

const shown = (label: string) => (label === "false" ? "bad" : label === "true" ? "good" : label);

function reviewedWords({ judged, reviewed, byLabel, asCounted }: JudgeAgreement): string {
  const n = (count: number) => count.toLocaleString("en");
  const parts = byLabel.map(
    ({ label, judged: all, reviewed: own }) => `${n(own)} of ${n(all)} that it calls ${shown(label)}`,
  );
  const of = parts.length > 1 && parts.length <= MAX_SHOWN_LABELS ? `: ${parts.join(" and ")}` : "";
  const text = `${n(reviewed)} of ${n(judged)} judged runs were reviewed${of}.`;
  if (!asCounted) return text;
  const kappa = asCounted.kappa === null ? "" : ` and κ ${kappaText(asCounted.kappa)}`;
  return `${text} Weighted for that; as counted it would be ${formatPercent(asCounted.agreement)}${kappa}.`;
}

function shareWords(agreement: JudgeAgreement): string {
  const shares = judgedBadShares(agreement);
  if (!shares) return "";
  const found =
    shares.found === null ? "" : ` Of what people call bad it finds ${formatPercent(shares.found)}.`;
  return `When it says bad, people agree in ${formatPercent(shares.right)}.${found}`;
}

/** Reviewed runs by what the judge and people said. */
function Confusion({ agreement: { confusion } }: { agreement: JudgeAgreement }) {
  const labels = [...new Set(confusion.flatMap(({ judge, person }) => [judge, person]))].sort();
  if (labels.length === 0 || labels.length > MAX_SHOWN_LABELS) return null;
  const runsOf = (judge: string, person: string) =>
    confusion.find((one) => one.judge === judge && one.person === person)?.runs ?? 0;
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5 text-center">
      <caption className="sr-only">Reviewed runs by what the judge and people said</caption>
      <thead className="text-xs text-muted">
        <tr>
          <td />
          {labels.map((label) => (
            <th key={label} scope="col" className="truncate py-1 font-medium">
              people: {shown(label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((judge) => (
          <tr key={judge}>
            <th scope="row" className="truncate pr-2 text-left text-xs font-medium">
              judge: {shown(judge)}
            </th>
            {labels.map((person) => (
              <td
                key={person}
                className={`rounded py-1.5 font-semibold ${judge === person ? "bg-[color-mix(in_oklab,var(--color-completed)_13%,var(--color-bg))]" : "bg-[color-mix(in_oklab,var(--color-error)_11%,var(--color-bg))]"}`}
              >
                {runsOf(judge, person)}
                <span className="block text-xs font-normal text-muted">{mistake(judge, person)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const mistake = (judge: string, person: string) =>
  judge === "false" && person === "true"
    ? "false alarms"
    : judge === "true" && person === "false"
      ? "missed"
      : "";
