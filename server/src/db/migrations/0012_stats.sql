-- What was chosen, by its name, so that choices are counted without reading every value. Null where nothing was chosen
-- and in rows from before, which the statistics leave out: filling them in would hold up ingest for minutes.
alter table decision_points add column choice text collate "C";

create index on decision_points (user_id, type, choice, timestamp) where choice is not null;
create index on spans (user_id, started_at) where status = 'ERROR';
create index on events (user_id, timestamp) where type = 'ERROR';

-- The index of the newest and oldest sort also carries what charts add up, so that these never touch the rows.
create index traces_started_at on traces (user_id, started_at, id)
  include (status, total_cost, total_tokens, total_duration);
drop index traces_user_id_started_at_id_idx;
