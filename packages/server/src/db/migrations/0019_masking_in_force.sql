-- What a version of the rules stands for beside level and rules: the operator's floor, and a number of the matchers. If a server masks
-- more than that, the version goes up, so that what is stored is known to be out of date.
alter table masking add column floor text not null default 'off', add column matchers integer not null default 0;

-- Traces that could not be checked when rules were applied: they stay as they were.
alter table masking_jobs add column left_out text[] not null default '{}';
