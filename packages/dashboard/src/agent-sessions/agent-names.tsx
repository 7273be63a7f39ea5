const MAX_NAMES = 3;

/** The agents that took part in a session, as far as a line can show them. */
export function AgentNames({ agents }: { agents: string[] }) {
  return (
    <span className="truncate" title={agents.slice(0, MAX_NAMES).join(", ")}>
      {agents.slice(0, MAX_NAMES).join(" · ")}
      {agents.length > MAX_NAMES && " · and others"}
    </span>
  );
}
