// Usage's sentences in English.
export const enUS = {
  'usage.malformed': 'The content could not be read. Send CloudEvents as JSON.',
  'usage.batch_too_large': 'At most {{largest}} events at once. Send them in parts.',
  'usage.event_malformed': 'The event is no CloudEvent 1.0: it needs specversion, id, source and type, and an RFC 3339 time.',
  'usage.subscription_unknown': 'The subject is no subscription that this key may write to.',
  'usage.subscription_not_running': 'The subscription was not running at the event’s time.',
  'usage.event_type_unknown': 'The subscription’s meter does not take events of this type.',
  'usage.time_in_future': 'The event’s time is more than 5 minutes ahead.',
  'usage.value_no_decimal': 'data.value must be a decimal with at most 12 fraction digits.',
  'usage.conflict': 'An event with this source and id exists with other data.',
  'usage.start_after_end': 'Start date must not be after end date.',
  'usage.range_too_long': 'The period must not exceed 3 months.',
  'usage.subscription_not_found': 'There is no such subscription.',
} as const;
