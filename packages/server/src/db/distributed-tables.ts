/**
 * The tables that a Citus cluster distributes by `workspace_id`, in the order in which they are distributed: all tables with
 * rows of workspaces' traces, and those that the same statements read or lock. They are colocated with the first one, so that
 * all rows of a workspace are on one node. All other tables stay on the coordinator.
 *
 * Statements about these tables run unchanged on one PostgreSQL and in a cluster if they follow the rules of
 * docs/decisions/0002-postgresql-and-citus.md. Those that shape a statement most:
 *   - No join with a table of the coordinator: read the two apart.
 *   - `workspace_id = $1` in every subquery. A cluster finds the node by the value, not by a column of the outer query.
 *   - No function of a sent value and no `now()` in a CASE in an assignment of UPDATE and DO UPDATE: compute it in a subquery
 *     of FROM, or take it from `excluded`.
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
  "scores",
  "outcome_definitions",
  "outcome_jobs",
  "problem_runs",
  "agent_releases",
  "issue_cursors",
  "issues",
  "issue_problems",
  "issue_timeline",
  "alert_channels",
  "alert_events",
  "alert_deliveries",
  "delivery_attempts",
  "alert_rules",
  "alert_incidents",
  "alert_maintenance",
  "alert_cursors",
  "likely_jobs",
  "mail_notices",
  "masking",
  "masking_log",
  "masking_jobs",
  "decision_rules",
  "decisions_set_aside",
  "why_findings",
  "situation_keys",
  "subscriptions",
] as const;

/** A distributed table cannot refer to a table of the coordinator: these constraints are dropped before it is distributed. */
export const DROPPED_CONSTRAINTS = [
  { table: "subscriptions", constraint: "subscriptions_workspace_id_fkey" },
] as const;
