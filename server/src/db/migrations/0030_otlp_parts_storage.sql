-- Larger parts are compressed before they are stored; PostgreSQL's own compression of the others takes longer than all the
-- rest of storing them.
alter table otlp_parts alter column facts set storage external;
