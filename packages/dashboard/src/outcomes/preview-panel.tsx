import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Condition, OutcomePreview, RunOutcomeName } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { OUTCOME_LABELS } from "../scores/outcome-words.ts";
import type { ScoreTone } from "../scores/score-words.ts";
import { ToneIcon } from "../scores/tone-icon.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

interface PreviewPanelProps {
  query: UseQueryResult<OutcomePreview>;
  bad: readonly Condition[];
  /** What is to do before there is a preview. */
  incomplete: string | null;
  isEdited: boolean;
}

const OUTCOMES = ["good", "bad", "unknown"] as const;
const TONES: Readonly<Record<RunOutcomeName, ScoreTone>> = {
  good: "good",
  bad: "bad",
  unknown: "neutral",
  open: "neutral",
};
const TINTS = {
  good: "bg-completed",
  bad: "bg-error",
  unknown: "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_3px,var(--color-sunken)_3px_6px)]",
} as const;

/** What the draft would change among the newest runs. */
export function PreviewPanel({ query, bad, incomplete, isEdited }: PreviewPanelProps) {
  return (
    <Panel title="Preview" note={query.data && noteOf(query.data)}>
      <div aria-live="polite" aria-busy={query.isFetching}>
        {incomplete !== null ? (
          <p className="p-3 text-muted">{incomplete}</p>
        ) : (
          <QueryResult query={query} skeleton={<SkeletonRows count={5} />}>
            {(preview) =>
              preview.runs === 0 ? (
                <p className="p-3 text-muted">No run of the last 30 days would be judged by it.</p>
              ) : (
                <Preview preview={preview} bad={bad} isEdited={isEdited} />
              )
            }
          </QueryResult>
        )}
      </div>
    </Panel>
  );
}

const noteOf = ({ runs, isSampled }: OutcomePreview) =>
  `${isSampled ? "the newest " : ""}${runs.toLocaleString("en")} runs of the last 30 days · nothing is saved`;

interface PreviewProps {
  preview: OutcomePreview;
  bad: readonly Condition[];
  isEdited: boolean;
}

function Preview({ preview, bad, isEdited }: PreviewProps) {
  const { before, after, changed, changes, examples, coverage } = preview;
  const rows = [
    { label: "now", counts: before },
    ...(isEdited || changed > 0 ? [{ label: "after saving", counts: after }] : []),
  ];
  return (
    <>
      <div className="grid gap-3 p-3">
        <table className="w-full table-fixed text-left">
          <caption className="sr-only">Runs by outcome, now and after saving</caption>
          <thead className="text-xs text-muted">
            <tr>
              <td className="w-24" />
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col" className="pb-1 font-medium">
                  <span className="inline-flex items-center gap-1.5">
                    <span aria-hidden="true">
                      <ToneIcon tone={TONES[outcome]} />
                    </span>
                    {outcome === "unknown" ? "unknown, left out" : outcome}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, counts }) => (
              <tr key={label}>
                <th scope="row" className="py-0.5 font-normal text-muted">
                  {label}
                </th>
                {OUTCOMES.map((outcome) => (
                  <td key={outcome} className="text-base font-semibold tabular-nums">
                    {label === "now" ? (
                      <Link to={paths.traces} search={{ outcome }} className="hover:underline">
                        {counts[outcome].toLocaleString("en")}
                      </Link>
                    ) : (
                      counts[outcome].toLocaleString("en")
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <div aria-hidden="true" className="grid gap-1.5">
          {rows.map(({ label, counts }) => (
            <div key={label} className="flex h-2.5 gap-0.5 overflow-hidden rounded-sm">
              {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
                <span
                  key={outcome}
                  className={`block min-w-0.5 ${TINTS[outcome]}`}
                  style={{ flexGrow: counts[outcome], flexBasis: 0 }}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className="grid gap-3 border-t border-line p-3">
        <p>
          <b className="font-semibold">
            {changed === 0
              ? "No run would change."
              : `${changed.toLocaleString("en")} ${changed === 1 ? "run" : "runs"} would change:`}
          </b>{" "}
          {changes.map(changeWords).join(", ")}
          {changed > 0 && "."}
        </p>
        {coverage.map((one) => (
          <CoverageNote
            key={one.condition}
            coverage={one}
            condition={bad[one.condition]}
            runs={preview.runs}
          />
        ))}
      </div>
      {examples.length > 0 && (
        <ul aria-label="Examples">
          {examples.map((example) => (
            <li
              key={example.traceId}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line/60 px-3 py-2"
            >
              <Link
                to={paths.trace}
                params={{ id: example.traceId }}
                className="min-w-0 max-w-full truncate font-medium text-accent hover:underline max-sm:min-h-6"
              >
                {example.name}
              </Link>
              <span className="inline-flex items-center gap-1">
                <ToneIcon tone={TONES[example.before]} />
                <span aria-hidden="true">→</span>
                <span className="sr-only">becomes</span>
                <ToneIcon tone={TONES[example.after]} />
              </span>
              <span className="min-w-0 flex-1 basis-40 break-words text-muted">
                {example.reason ?? OUTCOME_LABELS[example.after]}
              </span>
              <span className="text-xs text-muted">
                <RelativeTime instant={example.startedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const changeWords = ({ before, after, runs }: OutcomePreview["changes"][number]) =>
  `${runs.toLocaleString("en")} ${before} → ${after}`;

interface CoverageNoteProps {
  coverage: OutcomePreview["coverage"][number];
  condition: Condition | undefined;
  runs: number;
}

/** How many runs have the score that a condition looks for, and what happens to the others. */
function CoverageNote({ coverage: { asked, answered, bad }, condition, runs }: CoverageNoteProps) {
  if (condition?.kind !== "score") return null;
  const { name, missing = "good" } = condition;
  const n = (count: number) => count.toLocaleString("en");
  const without = runs - answered;
  const isAsked = missing === "asked" && asked > 0;
  return (
    <p className="rounded-md bg-[color-mix(in_oklab,var(--color-retry)_9%,var(--color-bg))] px-3 py-2">
      <b className="font-semibold">
        {isAsked
          ? `${n(runs - asked)} of ${n(runs)} runs were never asked for ${name}.`
          : `${n(without)} of ${n(runs)} runs have no ${name}.`}
      </b>{" "}
      {missing === "good" && without > 0 && "They count as good. "}
      {missing === "unknown" && without > 0 && "They say nothing, and are left out of Why. "}
      {isAsked && "They say nothing, and are left out of Why, unless another condition makes them bad. "}
      {missing === "asked" &&
        asked === 0 &&
        "No run records that its user was asked, so all of them are unknown. "}
      {isAsked
        ? `Of ${n(asked)} asked, ${n(answered)} answered (${formatPercent(answered / asked)}): ${n(bad)} bad.`
        : `${n(answered)} answered: ${n(bad)} bad.`}
    </p>
  );
}
