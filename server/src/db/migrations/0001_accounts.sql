create table users (
  id uuid primary key default gen_random_uuid(),
  -- lower case: addresses are compared case-insensitively
  email text not null unique,
  name text,
  password_hash text not null,
  email_verified_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);

-- Tokens of every kind are stored as their SHA-256.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sessions (user_id);
create index on sessions (expires_at);

create table email_verification_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on email_verification_tokens (user_id);
create index on email_verification_tokens (expires_at);

create table password_reset_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on password_reset_tokens (user_id);
create index on password_reset_tokens (expires_at);
