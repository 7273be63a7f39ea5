-- The version of the workspace's totals at which nothing is left that time alone can change: until it rises, rules are checked
-- once an hour only.
alter table alert_cursors add column settled_version bigint;
