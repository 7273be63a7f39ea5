-- What was chosen, by its name, so that choices are counted without reading every value. Null where nothing was chosen
-- and in rows from before, which the statistics leave out: filling them in would hold up ingest for minutes.
alter table decision_points add column choice text collate "C";

create index on decision_points (user_id, type, choice, timestamp) where choice is not null;
create index on spans (user_id, started_at) where status = 'ERROR';
create index on events (user_id, timestamp) where type = 'ERROR';
