// Push's sentences in English.
export const enUS = {
  'push.not_found': 'There is no such browser. It may have been removed.',
  'push.too_many': 'At most {{count}} browsers can be registered. Remove those you no longer use first.',
  'push.endpoint_refused': 'This push address cannot be used: it must be an https address on the public internet. Turn push on again.',
  'push.keys_wrong': 'The keys that the browser gave are not valid. Turn push off and on again.',
} as const;
