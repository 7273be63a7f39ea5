create table subscriptions (
  user_id uuid primary key references users on delete cascade,
  tier text not null default 'FREE' check (tier in ('FREE', 'STARTER', 'PRO')),
  sessions_limit integer not null,
  sessions_used integer not null default 0
);
