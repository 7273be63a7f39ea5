-- With which probability sampling kept a trace, and with which an option was drawn at random; null where nothing is said. On a
-- server with many traces this is instant: a column without a default changes no row.
alter table traces add column sample_probability double precision;
alter table decision_points add column probability double precision;
