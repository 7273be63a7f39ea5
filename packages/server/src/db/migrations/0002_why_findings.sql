-- Findings of an agent's runs in the last days, as a worker computed them (insights/findings/). They hold hashes of options and
-- counts, and neither texts nor ids of traces: names are read from traces that exist.
create table why_findings (
  workspace_id uuid not null,
  agent_hash bigint not null,
  -- which ends of runs are bad: 0 failed, 1 an error came, 2 a bad score
  lens smallint not null,
  -- 7, 30 or 90
  window_days smallint not null,
  -- version of trace_totals at which a worker read the runs; 0: a request computed it; -1: to be computed again at once
  counted bigint not null,
  -- a hash of the runs that were read: if others changed only, nothing is computed again
  digest text not null,
  computed_at timestamptz not null default now(),
  body jsonb not null,
  -- what is listed, by kind and option, and the day on which it entered
  since jsonb not null,
  primary key (workspace_id, agent_hash, lens, window_days)
);

-- The keys of metadata and tags whose values say in which situation a run of an agent began. Only runs of the same situation are
-- compared.
create table situation_keys (
  workspace_id uuid not null,
  agent_hash bigint not null,
  -- the masked name of the agent's traces
  agent text not null,
  keys text[] not null,
  primary key (workspace_id, agent_hash)
);
