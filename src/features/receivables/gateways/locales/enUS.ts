// Gateways's texts in English.
export const enUS = {
  'gateways.signature_wrong': 'The signature is missing or wrong.',
  'gateways.too_old': 'The signature’s time is more than 5 minutes away from now.',
  'gateways.event_unreadable': 'The event does not say what it has to.',
  'gateways.no_answer': 'The payment provider didn’t answer. Try again in a moment.',
} as const;
