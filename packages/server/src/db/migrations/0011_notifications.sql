-- What people get told about issues (issues/, notifications/): which decision likely explains an issue, and mails to members.

-- The decision that likely explains an issue, as hashes and counts. It is computed again when twice as many runs were counted.
alter table issues
  add column likely jsonb,
  add column counted integer not null default 0,
  add column likely_counted integer not null default 0,
  add column likely_at timestamptz;

-- The issues whose likely decision is due.
create table likely_jobs (
  workspace_id uuid not null,
  number integer not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, number)
);

-- Since when no trace of the agent has had the release, and when this was looked up last.
alter table agent_releases add column empty_since timestamptz, add column checked_at timestamptz;

-- What members are to be told by mail, until it is handed over to the outbox. It holds no text of a run.
create table mail_notices (
  workspace_id uuid not null,
  id uuid not null,
  -- the setting of a member that decides: newIssues, regressions, assigned, alerts
  kind text not null,
  type text not null,
  -- "issue:12" or "rule:" and its id
  subject text not null,
  -- counts the events of the subject; 0: no event
  sequence integer not null,
  -- null: all members
  recipient_id uuid,
  payload jsonb,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Which mails a member wants; without a row: all.
create table notification_settings (
  user_id uuid not null,
  workspace_id uuid not null,
  new_issues boolean not null default true,
  regressions boolean not null default true,
  assigned boolean not null default true,
  alerts boolean not null default true,
  primary key (user_id, workspace_id),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);

-- What each member was told, so that a notice that is handed over again is told once, and how many mails came in a while.
create table member_notices (
  user_id uuid not null,
  workspace_id uuid not null,
  notice_id uuid not null,
  kind text not null,
  type text not null,
  subject text not null,
  -- mailed, held for a digest, digested
  state text not null,
  created_at timestamptz not null default now(),
  -- of what is held: when the digest is sent
  due_at timestamptz,
  primary key (user_id, workspace_id, notice_id),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);
create index member_notices_held on member_notices (due_at) where state = 'held';
create index member_notices_by_age on member_notices (created_at);

-- Links in mails that end mails of these kinds.
create table unsubscribe_tokens (
  token_hash bytea primary key,
  user_id uuid not null,
  workspace_id uuid not null,
  kinds text[] not null,
  created_at timestamptz not null default now(),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);
create index unsubscribe_tokens_by_member on unsubscribe_tokens (user_id, workspace_id);
create index unsubscribe_tokens_by_age on unsubscribe_tokens (created_at);

-- Further headers of a mail; null once sent, like its bodies.
alter table mail_outbox add column headers jsonb;
