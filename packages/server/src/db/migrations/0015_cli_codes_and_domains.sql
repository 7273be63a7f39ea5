-- Sign-in of the command line by browser, joining a workspace by the domain of one's address, and a default view for each member.

-- What a browser hands to `whytrace login`. It ends with the session that made it.
create table cli_codes (
  code_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  -- SHA-256 of the verifier that only the command has
  challenge bytea not null,
  -- the host name of the machine that asked
  name text not null,
  expires_at timestamptz not null
);
create index on cli_codes (user_id);
create index on cli_codes (session_id);
create index on cli_codes (workspace_id);
create index on cli_codes (expires_at);

-- People with a verified address of the domain may join the workspace.
create table workspace_domains (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- in lower case
  domain text collate "C" not null,
  role text not null check (role in ('member', 'viewer')),
  -- stands in a TXT record, which everybody can read
  token text not null,
  -- null until the record was found, and again after it was missing three times
  verified_at timestamptz,
  -- when a server last looked for the record of a verified domain, and how often in a row it was missing
  checked_at timestamptz,
  misses integer not null default 0,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  unique (workspace_id, domain)
);
create index on workspace_domains (domain) where verified_at is not null;
create index on workspace_domains (checked_at) where verified_at is not null;

-- With which view a member's list of traces opens. `is_default` of saved_views was the same for all.
create table saved_view_defaults (
  workspace_id uuid not null,
  user_id uuid not null,
  view_id uuid not null,
  primary key (workspace_id, user_id),
  foreign key (user_id, workspace_id) references memberships on delete cascade,
  foreign key (workspace_id, view_id) references saved_views on delete cascade
);
create index on saved_view_defaults (user_id);
create index on saved_view_defaults (workspace_id, view_id);
insert into saved_view_defaults (workspace_id, user_id, view_id)
select saved_views.workspace_id, memberships.user_id, min(saved_views.id::text)::uuid
from saved_views join memberships on memberships.workspace_id = saved_views.workspace_id
where saved_views.is_default group by saved_views.workspace_id, memberships.user_id;
