import { useQuery } from "@tanstack/react-query";
import type { IssueKind, IssueSort } from "@whytrace/contract";
import { type Ref, useCallback } from "react";
import { healthQuery, releasesQuery } from "../agents/agents-queries.ts";
import { parseOneOf } from "../client/search-params.ts";
import { type IssuesSearch, KINDS, SORTS } from "../issues/issues-search.ts";
import { useAssignees } from "../issues/use-assignees.ts";
import { Button, pressedStyle } from "../ui/controls/button.tsx";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { formatCount } from "../ui/format/format.ts";
import { SearchField } from "../ui/search-field.tsx";
import { ReleasePicker } from "../why/release-picker.tsx";

interface InboxFiltersProps {
  search: IssuesSearch;
  field: Ref<HTMLInputElement>;
  isFiltered: boolean;
  onFilter: (change: IssuesSearch, isContinued?: boolean) => void;
  onClear: () => void;
}

const KIND_WORDS: Record<IssueKind, string> = {
  error: "Errors",
  score: "Bad scores",
  condition: "Other conditions",
};
const SORT_WORDS: Record<IssueSort, string> = {
  inbox: "Inbox order",
  newest: "Newest issue",
  lastSeen: "Last seen",
  runs: "Most runs",
  people: "Most people",
};

/** Filters of the inbox. All of them are in the URL. */
export function InboxFilters({ search, field, isFiltered, onFilter, onClear }: InboxFiltersProps) {
  const { agent, kind, assignee, sort = "inbox" } = search;
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => onFilter({ search: text }, isContinued),
    [onFilter],
  );
  return (
    <search className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2.5">
      <SearchField ref={field} label="Text of the issue" value={search.search} onSearch={onSearch} />
      <Agents search={search} onChange={(next) => onFilter({ agent: next, release: undefined })} />
      {agent !== undefined && <Releases search={search} agent={agent} onFilter={onFilter} />}
      <SelectChip
        label="Kind"
        text={kind ? KIND_WORDS[kind] : "Errors and scores ▾"}
        value={kind ?? ""}
        options={[
          { value: "", label: "Errors and scores" },
          ...KINDS.map((value) => ({ value, label: KIND_WORDS[value] })),
        ]}
        onChange={(next) => onFilter({ kind: parseOneOf(KINDS, next) })}
        onClear={kind ? () => onFilter({ kind: undefined }) : undefined}
      />
      <Button
        aria-pressed={assignee === "me"}
        className={`text-xs! ${assignee === "me" ? pressedStyle : ""}`}
        onClick={() => onFilter({ assignee: assignee === "me" ? undefined : "me" })}
      >
        Mine
      </Button>
      <Assignees assignee={assignee} onChange={(next) => onFilter({ assignee: next })} />
      {isFiltered && <Button onClick={onClear}>Clear filters</Button>}
      <div className="sm:ml-auto">
        <SelectChip
          label="Order"
          text={`${SORT_WORDS[sort]} ▾`}
          value={sort}
          options={SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
          onChange={(next) => onFilter({ sort: next === "inbox" ? undefined : parseOneOf(SORTS, next) })}
        />
      </div>
    </search>
  );
}

interface AssigneesProps {
  assignee: string | undefined;
  onChange: (assignee: string | undefined) => void;
}

function Assignees({ assignee = "", onChange }: AssigneesProps) {
  const [me, ...others] = useAssignees();
  // For oneself there is a button.
  const value = assignee === "me" || assignee === me?.id ? "" : assignee;
  const name =
    value === "none" ? "nobody" : (others.find(({ id }) => id === value)?.words ?? "a former member");
  return (
    <SelectChip
      label="Assignee"
      text={value ? `Assigned to ${name}` : "Assignee ▾"}
      value={value}
      options={[
        { value: "", label: "Anybody" },
        { value: "none", label: "Nobody" },
        ...(value === "" || value === "none" || others.some(({ id }) => id === value)
          ? []
          : [{ value, label: name }]),
        ...others.map(({ id, words }) => ({ value: id, label: words })),
      ]}
      onChange={(next) => onChange(next || undefined)}
      onClear={value ? () => onChange(undefined) : undefined}
    />
  );
}

interface AgentsProps {
  search: IssuesSearch;
  onChange: (agent: string | undefined) => void;
}

/** All agents that ran, also those that decided nothing. */
function Agents({ search: { agent = "", range }, onChange }: AgentsProps) {
  const { data } = useQuery(healthQuery(range));
  const agents = data?.agents ?? [];
  const isListed = agent === "" || agents.some(({ name }) => name === agent);
  return (
    <SelectChip
      label="Agent"
      text={agent ? `Agent: ${agent}` : "Agent ▾"}
      value={agent}
      options={[
        { value: "", label: "All agents" },
        ...(isListed ? [] : [{ value: agent, label: agent }]),
        ...agents.map(({ name, badRuns }) => ({
          value: name,
          label: `${name} (${formatCount(badRuns)} bad runs)`,
        })),
      ]}
      onChange={(next) => onChange(next || undefined)}
      onClear={agent ? () => onChange(undefined) : undefined}
    />
  );
}

interface ReleasesProps {
  search: IssuesSearch;
  agent: string;
  onFilter: (change: IssuesSearch) => void;
}

/** Releases belong to an agent, so only those of the chosen one are offered. */
function Releases({ search: { release, range }, agent, onFilter }: ReleasesProps) {
  const { data } = useQuery(releasesQuery(agent, range));
  const releases = (data?.releases ?? []).flatMap(({ name, runs }) => (name === null ? [] : { name, runs }));
  return (
    <ReleasePicker releases={releases} release={release} onChange={(next) => onFilter({ release: next })} />
  );
}
