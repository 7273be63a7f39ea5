-- What happened to a user's traces, in the order it was committed: positions are consecutive, as each is taken under
-- the lock on the user's subscription that every change of traces holds until it ends. A few hundred are kept a user.
create table trace_changes (
  user_id uuid not null,
  position bigint not null,
  changed_at timestamptz not null default now(),
  -- null: too many traces at once to name them
  traces json,
  primary key (user_id, position)
);
