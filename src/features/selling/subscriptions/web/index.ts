// The public API of subscriptions in the browser: its screens (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';
export const loadOrganizationSubscriptions = () =>
  withTexts(import('./OrganizationSubscriptions.tsx'), 'subscriptions').then(
    (module) => module.OrganizationSubscriptions,
  );
