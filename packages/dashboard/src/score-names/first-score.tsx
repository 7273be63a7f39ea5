import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { SampleLink } from "../shell/sample-link.tsx";
import { Kbd } from "../ui/badges.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { SnippetTabs } from "../ui/snippet-tabs.tsx";
import { firstScoreSnippets } from "./first-score-snippets.ts";

/** How the first score comes. */
export function FirstScore() {
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-10">
      <h2 className="text-lg font-semibold">No scores yet</h2>
      <p className="text-muted">
        A score is one judgement of a run: by a user, a judge, a check or you. Scores decide which runs are
        bad, also those that ended without an error, and Why then names the decisions behind them.
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <Link to={paths.reviewRuns} className={buttonStyle("primary")}>
          Review runs
        </Link>
        <SampleLink path={paths.scores} className={buttonStyle()}>
          See it in the sample
        </SampleLink>
        <span className="text-muted">
          The quickest way: <Kbd>+</Kbd>
          <span className="sr-only">plus</span> says that a run was good, <Kbd>-</Kbd>
          <span className="sr-only">minus</span> that it was bad.
        </span>
      </p>
      <SnippetTabs
        label="Ways to send scores"
        snippets={firstScoreSnippets(location.origin)}
        copyLabel="Copy"
        codeLabel={(label) => `${label} example`}
      />
    </div>
  );
}
