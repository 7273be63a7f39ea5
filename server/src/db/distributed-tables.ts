/**
 * The tables that a Citus cluster distributes by `user_id`, in the order in which they are distributed: all tables with
 * rows of users' traces, and those that the same statements read or lock. They are colocated with the first one, so that
 * all rows of a user are on one node. All other tables stay on the coordinator.
 */
export const DISTRIBUTED_TABLES = [
  "traces",
  "spans",
  "decision_points",
  "events",
  "trace_payloads",
  "trace_manifests",
  "trace_totals",
  "trace_changes",
  "agent_sessions",
  "otlp_parts",
  "decision_days",
  "verdicts",
  "decision_rules",
  "decisions_set_aside",
  "subscriptions",
] as const;

/** A distributed table cannot refer to a table of the coordinator: these constraints are dropped before it is distributed. */
export const DROPPED_CONSTRAINTS = [
  { table: "subscriptions", constraint: "subscriptions_user_id_fkey" },
] as const;
