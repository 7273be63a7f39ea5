-- The problems of runs, and the issues that they make (issues/). trace-store writes the first two tables in the transaction of the trace, so
-- in every snapshot they say what traces say.

-- the keys of the run's problems (outcomes/problems-of-run.ts); null: not bad
alter table traces add column problems bigint[];
-- the version at which problem_runs last changed
alter table trace_totals add column problems_version bigint not null default 0;

create table problem_runs (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  problem bigint not null,
  -- 0 error, 1 score, 2 condition
  kind smallint not null,
  agent_hash bigint not null,
  -- version of trace_totals when the run got the problem: commit order
  version bigint not null,
  started_at timestamptz not null,
  release_hash bigint,
  person_hash bigint,
  -- where it failed or was scored
  span_id text collate "C",
  -- masked, at most 200 characters
  text text not null,
  -- counts, but announces nothing
  is_quiet boolean not null default false,
  primary key (workspace_id, trace_id, problem)
);
create index problem_runs_by_problem on problem_runs (workspace_id, problem, started_at desc, trace_id)
  include (release_hash, person_hash);
create index problem_runs_by_version on problem_runs (workspace_id, version, trace_id, problem);

-- The releases of agents in the order of first sight.
create table agent_releases (
  workspace_id uuid not null,
  agent_hash bigint not null,
  release_hash bigint not null,
  name text not null,
  version bigint not null,
  first_seen_at timestamptz not null default now(),
  primary key (workspace_id, agent_hash, release_hash)
);

-- How far a workspace's problem_runs are turned into issues. Whoever changes an issue locks this row first.
create table issue_cursors (
  workspace_id uuid primary key,
  version bigint not null default 0,
  trace_id text collate "C" not null default '',
  problem bigint not null default 0,
  next_number integer not null default 1,
  -- how many issues were created on the last day on which some were
  new_on date,
  new_count integer not null default 0,
  -- more rows of the same version are left
  is_behind boolean not null default false
);
create table issues (
  workspace_id uuid not null,
  number integer not null,
  first_problem bigint not null,
  agent_hash bigint not null,
  -- open, resolved, ignored, merged
  status text not null,
  -- a person took it on: assigned, commented, reopened
  is_acknowledged boolean not null default false,
  created_at timestamptz not null default now(),
  -- null: no person has done anything with it
  touched_at timestamptz,
  resolution jsonb,
  regression jsonb,
  ignored jsonb,
  merged_into integer,
  assignee_id uuid,
  external_url text,
  -- of the runs that differ in every message or name
  is_other boolean not null default false,
  -- counts the events of the issue
  sequence integer not null default 0,
  primary key (workspace_id, number)
);
-- Those that end by themselves.
create index issues_ignored on issues (workspace_id, number) where status = 'ignored';

create table issue_problems (
  workspace_id uuid not null,
  problem bigint not null,
  number integer not null,
  -- the number that the problem had before it was merged
  former_number integer,
  primary key (workspace_id, problem)
);
create index issue_problems_by_number on issue_problems (workspace_id, number);

create table issue_timeline (
  workspace_id uuid not null,
  number integer not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  by_user uuid,
  details jsonb not null,
  primary key (workspace_id, number, at, id)
);
