-- What lists of traces are filtered by (trace-store/trace-facts.ts). Null in rows that a previous version wrote, until a
-- worker has filled them in.
alter table traces
  -- Spans that failed.
  add column error_count integer,
  -- The types of the trace's decision points, a bit each, in the order of the contract's list.
  add column decision_types integer,
  -- Top-level values of the metadata (trace-store/metadata-pairs.ts). Null if there are none.
  add column metadata_pairs text[];
