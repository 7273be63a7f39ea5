-- Workspaces that several people share (workspaces/, invitations/, audit/).

-- A slug for rows that are inserted without one, as the version before this one does.
create function random_slug() returns text language sql volatile as $$
  select string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + floor(random() * 31)::integer, 1), '')
  from generate_series(1, 10)
$$;

alter table workspaces
  -- the workspace in addresses; it never changes
  add column slug text collate "C" not null default random_slug() unique,
  add column name text not null default 'My workspace';
update workspaces set name = left(coalesce(users.name, split_part(users.email, '@', 1)), 80) || '''s workspace'
from memberships join users on users.id = memberships.user_id
where memberships.workspace_id = workspaces.id and memberships.role = 'owner';

alter table memberships drop constraint memberships_role_check;
alter table memberships add constraint memberships_role_check check (role in ('owner', 'admin', 'member', 'viewer'));

-- Who made it; null: a key did, or it was made before people shared workspaces. A deleted user's id stays.
alter table api_keys add column created_by uuid;
alter table price_rules add column created_by uuid;
alter table trace_shares add column created_by uuid;
alter table saved_views add column created_by uuid;
alter table verdicts add column created_by uuid;
alter table decision_rules add column created_by uuid;
alter table decisions_set_aside add column created_by uuid;
update api_keys set created_by = user_id from memberships where memberships.workspace_id = api_keys.workspace_id;
update price_rules set created_by = user_id from memberships where memberships.workspace_id = price_rules.workspace_id;
update trace_shares set created_by = user_id from memberships where memberships.workspace_id = trace_shares.workspace_id;
update saved_views set created_by = user_id from memberships where memberships.workspace_id = saved_views.workspace_id;

-- Offers of a membership to one address.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- in lower case
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid not null references users on delete cascade,
  -- The mailed link proves the address, the copied one does not.
  mail_token_hash bytea not null unique,
  link_token_hash bytea not null unique,
  mails integer not null default 0,
  -- when it was last sent again; null: never
  resent_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index invitations_pending on invitations (workspace_id, email) where used_at is null;
create index invitations_by_email on invitations (email) where used_at is null;
create index invitations_by_inviter on invitations (invited_by);
create index invitations_by_end on invitations (expires_at);

-- The position of a workspace's newest audit event. Its lock puts events into an order without gaps.
create table audit_positions (
  workspace_id uuid primary key references workspaces on delete cascade,
  position bigint not null
);

-- What somebody did in a workspace. Positions count 1, 2, 3 … in each workspace.
create table audit_events (
  workspace_id uuid not null references workspaces on delete cascade,
  position bigint not null,
  at timestamptz not null default date_trunc('milliseconds', now()),
  action text collate "C" not null,
  actor json not null,
  actor_id uuid,
  target json,
  ip inet,
  user_agent text,
  -- only the actor may see from where it was done
  is_origin_private boolean not null default false,
  details json not null,
  primary key (workspace_id, position)
);
create index audit_events_by_action on audit_events (workspace_id, action, position);
create index audit_events_by_actor on audit_events (workspace_id, actor_id, position);
create index audit_events_by_age on audit_events (at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if current_setting('whytrace.audit_sweep', true) is distinct from 'on' then
    raise exception 'audit events are never changed' using errcode = 'insufficient_privilege';
  end if;
  return case when tg_op = 'DELETE' then old end;
end
$$;
create trigger audit_events_stay before update or delete on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_are_not_truncated before truncate on audit_events
  for each statement execute function refuse_audit_change();
