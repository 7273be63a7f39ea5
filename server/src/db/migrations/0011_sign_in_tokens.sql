-- Made by whoever can reach the database, used once: `whytrace dev` and `whytrace admin link`.
create table sign_in_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on sign_in_tokens (user_id);
create index on sign_in_tokens (expires_at);
