-- A hash of the trace's manifest. The manifest counts only if it has this hash: a manifest of an older version of the trace
-- does not, however and whenever its row was written. Null if the trace has no manifest.
alter table traces add column manifest_hash bytea;
