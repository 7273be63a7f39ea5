create table mail_outbox (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  -- null once sent: bodies carry tokens
  text_body text,
  html_body text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- after this the mail is of no use to anybody and is dropped unsent
  expires_at timestamptz not null,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index on mail_outbox (next_attempt_at) where sent_at is null;
create index on mail_outbox (sent_at) where sent_at is not null;
