-- What is removed from values before they are stored: a level and rules, by workspace, and the key of the tokens that stand in
-- the place of values.
create table masking (
  workspace_id uuid primary key,
  -- goes up with each change of level or rules
  version bigint not null default 1,
  level text not null,
  rules jsonb not null default '[]',
  -- 32 random bytes. Without them nobody can find out what a token stands for.
  key bytea not null,
  changed_by uuid,
  changed_at timestamptz
);

-- Who changed level and rules, and how.
create table masking_log (
  workspace_id uuid not null,
  version bigint not null,
  at timestamptz not null default clock_timestamp(),
  user_id uuid,
  action text not null,
  detail jsonb,
  primary key (workspace_id, version, at)
);

-- The version of the rules. Transactions that store values lock this row at their end and compare it with the version by which
-- they masked the values.
alter table trace_totals add column masking_version bigint not null default 1;

-- The version by which a trace was masked last, and how many values, by type: {"email":3}. Null: nothing was masked.
alter table traces add column masking_version bigint, add column masked jsonb;
