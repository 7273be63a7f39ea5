-- What insights count of a trace (contract/src/insights/decision-facts.ts). Null: no decisions, or stored before this
-- version of the facts and not read yet.
alter table traces add column agent_hash bigint;
alter table traces add column decision_facts bytea;
-- The first 64 choices, 4 bytes each: sorted by this, neighbours share the longest beginning.
alter table traces add column decision_path bytea;

-- The facts of a user's traces that started on a day (UTC), added up.
create table decision_days (
  user_id uuid not null,
  day date not null,
  -- Version of the user's totals (trace_totals) at the last change of a trace of this day.
  changed bigint not null,
  -- Version at which the figures below were added up; they count if nothing changed since.
  added bigint not null default -1,
  choices bytea,
  transitions bytea,
  errors bytea,
  primary key (user_id, day)
) with (fillfactor = 50);
