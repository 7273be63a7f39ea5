-- Goes up with every change of a user's traces: what was counted stays right until it does.
alter table trace_totals add column version bigint not null default 0;

-- The indexes behind the sorts carry what lists are filtered by, so that a page deep in a filtered list is found in
-- the index alone; the one of the newest also carries what charts add up.
create index traces_newest on traces (user_id, started_at, id)
  include (status, created_at, total_cost, total_tokens, total_duration);
create index traces_costliest on traces (user_id, total_cost desc nulls last, id) include (status, created_at);
create index traces_longest on traces (user_id, total_duration desc nulls last, id) include (status, created_at);
create index traces_shortest on traces (user_id, total_duration, id) include (status, created_at);
create index decision_points_costliest on decision_points (user_id, cost_usd desc nulls last, trace_id, id)
  include (type);
drop index traces_user_id_started_at_id_idx;
drop index traces_user_id_total_cost_id_idx;
drop index traces_user_id_total_duration_id_idx;
drop index traces_user_id_total_duration_id_idx1;
drop index decision_points_user_id_cost_usd_trace_id_id_idx;
