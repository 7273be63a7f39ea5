-- How people sign in: second factors, passkeys, identity providers; and what a workspace demands of it.

-- What proved who it is: password, passkey, totp, recovery, oidc:<provider>, oidc-mfa, operator.
alter table sessions add column methods text[] not null default '{password}';
-- When the person last proved who it is. Sessions from before this migration have to prove it again.
alter table sessions add column confirmed_at timestamptz;
alter table sessions alter column confirmed_at set default now();

-- Null for people who sign in with a provider alone.
alter table users alter column password_hash drop not null;

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- as the authenticator said; synced passkeys always say 0, so nothing is decided by it
  counter bigint not null,
  transports text[] not null,
  -- the host it works on
  rp_id text not null,
  name text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz
);
create index on passkeys (user_id);

-- An authenticator app.
create table totp_secrets (
  user_id uuid primary key references users on delete cascade,
  -- encrypted, with the user's id as associated data
  secret bytea not null,
  -- null until a code has proved that the app has the secret
  confirmed_at timestamptz,
  -- the time step of the last accepted code; earlier codes are not accepted
  last_step bigint,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table webauthn_challenges (
  challenge_hash bytea primary key,
  -- register, sign-in
  purpose text not null,
  -- of registrations: only this session may answer
  session_id uuid references sessions on delete cascade,
  expires_at timestamptz not null
);
create index on webauthn_challenges (session_id);
create index on webauthn_challenges (expires_at);

-- Sign-ins whose password was right and whose second factor is awaited.
create table sign_in_steps (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index on sign_in_steps (user_id);
create index on sign_in_steps (expires_at);

-- Sign-ins at a provider that have begun. The secret of the flow is in a cookie of the browser.
create table oidc_flows (
  state_hash bytea primary key,
  provider text not null,
  -- the path that the browser returns to
  next text not null,
  -- sign-in, link, confirm
  purpose text not null,
  -- of link and confirm: the session that asked
  session_id uuid references sessions on delete cascade,
  expires_at timestamptz not null
);
create index on oidc_flows (session_id);
create index on oidc_flows (expires_at);

-- Who a person is at a provider.
create table user_identities (
  issuer text not null,
  subject text not null,
  id uuid not null unique default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- the provider's name in the settings of the server
  provider text not null,
  -- the address at the provider when it was linked
  email text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- What a workspace demands of its members' sign-in.
alter table workspaces
  add column require_second_factor boolean not null default false,
  add column sso_provider text,
  add column max_session_hours integer check (max_session_hours between 1 and 168);
