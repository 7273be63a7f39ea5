-- Filters of a list that a user has named: the search parameters of its page.
create table saved_views (
  user_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  query text not null,
  -- At most one of a user is.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);
