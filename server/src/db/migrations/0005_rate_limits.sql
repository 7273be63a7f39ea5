-- One row for each admitted call; `key` is a SHA-256, so that no address is kept.
create table rate_limit_hits (
  key bytea not null,
  hit_at timestamptz not null,
  expires_at timestamptz not null
);
create index on rate_limit_hits (key, hit_at);
create index on rate_limit_hits (expires_at);
