-- Who wants to hear when a service that is coming can be subscribed; gone once they are told.

create table service_interest (
  service_id text not null references service on delete cascade,
  user_id text not null references app_user on delete cascade,
  created_at timestamptz not null,
  primary key (service_id, user_id)
);
create index service_interest_of_user on service_interest (user_id);
