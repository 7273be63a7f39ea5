import { useQuery } from "@tanstack/react-query";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { formatCount } from "../ui/format/format.ts";
import type { CountedSearch } from "./counted-search.ts";
import { agentsQuery } from "./insights-query.ts";

interface AgentPickerProps {
  search: CountedSearch;
  onChange: (agent: string | undefined) => void;
}

const ALL = "All agents";

/** Picks one of the agents that decided something in the time range, or all. */
export function AgentPicker({ search, onChange }: AgentPickerProps) {
  const { data } = useQuery(agentsQuery(search));
  const agents = data?.agents ?? [];
  const { agent = "" } = search;
  const isListed = agent === "" || agents.some(({ name }) => name === agent);
  return (
    <SelectChip
      label="Agent"
      text={`${agent || ALL} ▾`}
      value={agent}
      options={[
        { value: "", label: ALL },
        ...(isListed ? [] : [{ value: agent, label: agent }]),
        ...agents.map(({ name, runs }) => ({ value: name, label: `${name} (${formatCount(runs)} runs)` })),
      ]}
      onChange={(next) => onChange(next || undefined)}
      onClear={agent ? () => onChange(undefined) : undefined}
    />
  );
}
