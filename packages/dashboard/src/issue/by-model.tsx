import { Link } from "@tanstack/react-router";
import type { IssueDetail } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { Panel } from "../ui/panel.tsx";

const MAX_SHOWN = 6;

/** The models that the newest runs of an issue called. */
export function ByModel({ issue: { number, byModel } }: { issue: IssueDetail }) {
  const most = byModel[0]?.runs ?? 1;
  if (byModel.length === 0) return null;
  return (
    <Panel title="By model" note="of the newest 1,000 runs">
      <ul>
        {byModel.slice(0, MAX_SHOWN).map(({ model, runs }) => (
          <li
            key={model}
            className="grid grid-cols-[minmax(0,1fr)_5rem_auto] items-center gap-3 border-b border-line/60 px-3 py-1.5 last:border-0"
          >
            <span title={model} className="truncate">
              {model}
            </span>
            <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full bg-control" style={{ width: `${(runs / most) * 100}%` }} />
            </span>
            <Link
              to={paths.traces}
              search={{ issue: String(number), model }}
              className="min-w-8 text-right tabular-nums hover:underline"
            >
              {runs.toLocaleString("en")}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
