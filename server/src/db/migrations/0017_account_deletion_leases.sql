-- One process works on a deletion at a time: it moves next_attempt_at into the future, and back when it stops.
alter table account_deletions
  add column attempts integer not null default 0,
  add column next_attempt_at timestamptz not null default now();
