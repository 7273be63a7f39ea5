-- no transaction
-- Finds the days that a worker adds up, of all users. The day never changes, so updates of rows stay cheap.
create index concurrently if not exists decision_days_by_day on decision_days (day);
