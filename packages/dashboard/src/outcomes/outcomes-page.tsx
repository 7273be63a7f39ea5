import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { OutcomeDefinition, OutcomeDefinitions } from "@whytrace/contract";
import { isSample } from "../client/base-path.ts";
import { omitEmpty } from "../client/search-params.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { paths } from "../paths.ts";
import { RoleNote } from "../shell/role-note.tsx";
import { formatDate } from "../ui/format/format.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { AgentPicker } from "../why/agent-picker.tsx";
import { conditionWords } from "./condition-words.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { definitionOf } from "./definition-of.ts";
import { outcomesQuery } from "./outcomes-query.ts";
import { VersionNote } from "./version-note.tsx";

const ROUTE = "/signed-in/settings/outcomes";
const route = getRouteApi(ROUTE);

export const outcomesPage = createLazyRoute(ROUTE)({ component: OutcomesPage });

/** What counts as bad, for one agent or for all without a definition of their own. */
function OutcomesPage() {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(outcomesQuery);
  const isReadOnly = useIsReadOnly();
  const show = (next: string | undefined) => void navigate({ search: omitEmpty({ agent: next }) });
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        {!isSample && (
          <Link to={paths.apiKeys} className="text-muted hover:text-text max-sm:hidden">
            Settings <span aria-hidden="true">/</span>
          </Link>
        )}
        <h1 className="text-lg font-semibold">What counts as bad</h1>
        <AgentPicker search={{ agent }} onChange={show} />
        {query.data && <OwnDefinitions definitions={query.data} agent={agent} onShow={show} />}
      </div>
      <QueryResult query={query} skeleton={<SkeletonRows count={6} />}>
        {(definitions) => (
          <>
            <ProgressLine progress={definitions.progress} />
            {isReadOnly ? (
              <ShownDefinition definition={definitionOf(definitions, agent)} agent={agent} />
            ) : (
              <DefinitionEditor key={agent ?? ""} agent={agent} newest={definitionOf(definitions, agent)} />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

interface ShownDefinitionProps {
  definition: OutcomeDefinition;
  agent: string | undefined;
}

/** Nobody can change the definition of the sample, and viewers change none. */
const ShownDefinition = ({ definition, agent }: ShownDefinitionProps) => (
  <div className="grid justify-items-start gap-3 px-4 pb-8">
    <p>
      {isSample ? "In the sample a" : "A"} run is <b className="font-semibold text-error">bad</b> if any of
      these is true.
      {isSample &&
        " In a workspace of your own you change them here, and see before you save what would change."}
    </p>
    <RoleNote needed="member" act="Changing them" />
    {!isSample && <VersionNote shown={definition} agent={agent} />}
    <ul className="list-disc pl-5">
      {definition.bad.map((condition) => (
        <li key={JSON.stringify(condition)}>{conditionWords(condition)}</li>
      ))}
    </ul>
  </div>
);

interface OwnDefinitionsProps {
  definitions: OutcomeDefinitions;
  agent: string | undefined;
  onShow: (agent: string | undefined) => void;
}

/** The agents that have a definition of their own. */
function OwnDefinitions({ definitions, agent, onShow }: OwnDefinitionsProps) {
  const others = definitions.agents.filter((one) => one.agent !== agent);
  if (others.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-muted">
      Own definitions:
      {others.map(({ agent: name }) => (
        <button
          key={name}
          type="button"
          className="font-medium text-accent hover:underline max-sm:min-h-11"
          onClick={() => onShow(name ?? undefined)}
        >
          {name}
        </button>
      ))}
    </p>
  );
}

/** Says how far stored runs are judged by a new version. */
function ProgressLine({ progress }: Pick<OutcomeDefinitions, "progress">) {
  return (
    <div role="status">
      {progress && (
        <p className="border-y border-line bg-panel px-4 py-2 text-xs text-muted">
          {progress.countedFrom === null
            ? "Counting begins"
            : `Counted from ${formatDate(Date.parse(progress.countedFrom))} on`}
          ; {progress.tracesLeft.toLocaleString("en")} older runs are being read again.
        </p>
      )}
    </div>
  );
}
