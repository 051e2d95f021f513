-- What providers say about saved cards.

alter table provider_event
  drop constraint provider_event_about_check,
  add constraint provider_event_about_check check (about in ('payment', 'refund', 'dispute', 'card'));
