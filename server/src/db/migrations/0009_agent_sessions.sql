-- The sessionIds a user's traces have and when each was last active, kept as traces come and go: grouping all traces
-- for every page of sessions would cost more with every trace.
create table agent_sessions (
  user_id uuid not null,
  session_id text collate "C" not null,
  last_started_at timestamptz not null,
  primary key (user_id, session_id)
);
create index on agent_sessions (user_id, last_started_at, session_id);
