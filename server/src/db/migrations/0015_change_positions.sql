-- A change's position is from now on the version of the user's traces after it.
update trace_totals set
  version = greatest(version, (
    select position from trace_changes
    where trace_changes.user_id = trace_totals.user_id order by position desc limit 1));
