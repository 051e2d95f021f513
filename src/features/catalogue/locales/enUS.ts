// Catalogue's sentences in English.
export const enUS = {
  'catalogue.service_not_found': 'There is no such service.',
  'catalogue.tiers_wrong': 'The upper ends of tiers must rise, and only the last one is open.',
  'catalogue.package_size_zero': 'A package must hold more than 0 units.',
  'catalogue.property_needed': 'Counting unique values needs the name of a property of the event’s data.',
  'catalogue.quota_zero': 'A quota must be more than 0.',
  'catalogue.still_used': 'This service has been subscribed to, so it cannot be deleted. Deactivate it instead.',
} as const;
