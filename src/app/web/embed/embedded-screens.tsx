// The customer's screens as embedded in the portal: with the parts that a link can open, and without those of
// other pages.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadPortalUsage = () =>
  withTexts(import('./PortalUsage.tsx'), 'usage', 'insights').then((module) => module.PortalUsage);

export const loadPortalBills = () =>
  withTexts(
    import('./PortalBills.tsx'),
    'billing',
    'payments',
    'credits',
    'en16931',
    'collection',
    'plans',
    'latefees',
    'billproofs',
    'resellers',
    'rating',
  ).then((module) => module.PortalBills);

export const loadPortalCards = () =>
  withTexts(import('./PortalCards.tsx'), 'collection', 'portal').then((module) => module.PortalCards);

/** The subscriptions, with usage and remaining quota of each. */
export const loadPortalSubscriptions = () =>
  withTexts(
    import('./PortalServices.tsx'),
    'subscriptions',
    'usage',
    'quotas',
    'planning',
    'billing',
    'rating',
  ).then((module) => module.PortalServices);
