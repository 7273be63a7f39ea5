-- Requests with traces that came after the plan was used up, so that pages can say how many since when. Those of an earlier period
-- are counted anew (billing/refused-requests.ts).
alter table subscriptions
  add column refused_requests bigint not null default 0,
  add column refused_since timestamptz;
