-- Providers tell of disputes as well.

alter table provider_event
  drop constraint provider_event_about_check,
  add constraint provider_event_about_check check (about in ('payment', 'refund', 'dispute'));
