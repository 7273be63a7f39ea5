-- Browsers in which a user has signed in. Tokens are stored as their SHA-256.
create table devices (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  last_used_at timestamptz not null default now()
);
create index on devices (user_id, last_used_at);
create index on devices (last_used_at);

-- The address was verified in a browser without a session of the account, so whoever chose the password may be
-- somebody else. Until the next reset.
alter table users add column is_password_unproven boolean not null default false;
