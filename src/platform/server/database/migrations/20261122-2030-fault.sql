-- What went wrong unexpectedly: requests and jobs that failed by a fault of the console, for its operators.
create table fault (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  source text not null check (source in ('request', 'job')),
  -- A request's method and route, or a job's name: never what somebody sent.
  place text not null,
  request_id text,
  message text not null
);
create index fault_at on fault (at);
create index fault_of_request on fault (request_id) where request_id is not null;
