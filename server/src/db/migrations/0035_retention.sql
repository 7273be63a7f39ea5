-- For how many days the user wants their traces to be kept; null: as long as plan and installation allow.
-- tier_changed_at is null if the plan never changed: the days of a new plan apply a week later.
alter table subscriptions
  add column retention_days integer check (retention_days > 0),
  add column tier_changed_at timestamptz;

-- By default a fifth of a table has to be dead before its space is used again. Retention deletes as much as arrives, so
-- that would be a fifth of all disk space.
alter table traces set (autovacuum_vacuum_scale_factor = 0.05);
alter table spans set (autovacuum_vacuum_scale_factor = 0.05);
alter table decision_points set (autovacuum_vacuum_scale_factor = 0.05);
alter table events set (autovacuum_vacuum_scale_factor = 0.05);
alter table trace_owners set (autovacuum_vacuum_scale_factor = 0.05);
alter table trace_payloads set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
alter table otlp_parts set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
