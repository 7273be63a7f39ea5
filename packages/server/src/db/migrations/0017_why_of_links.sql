-- What explains the shared run, as its owner saw it when the link was made; null: the link does not say it. It has no texts:
-- they are read from the trace, so that nothing of it is left here when it is deleted or masked.
alter table trace_shares add column why jsonb;
