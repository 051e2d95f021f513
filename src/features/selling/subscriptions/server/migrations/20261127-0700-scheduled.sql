-- Add-ons that begin on a day to come: until then they are scheduled, and may be called off.

alter table subscription drop constraint subscription_state_check,
  add constraint subscription_state_check check (state in ('scheduled', 'active', 'paused', 'cancelling', 'canceled', 'past_due', 'suspended', 'expired'));
alter table subscription drop constraint subscription_held_state_check,
  add constraint subscription_held_state_check check (held_state in ('scheduled', 'active', 'paused', 'cancelling'));
