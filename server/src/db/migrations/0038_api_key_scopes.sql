-- What a key may do, and until when. Keys that exist send traces and do not expire.
alter table api_keys
  add column scope text not null default 'send' check (scope in ('send', 'read', 'review')),
  add column expires_at timestamptz;
