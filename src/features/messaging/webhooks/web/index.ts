// The public API of webhooks in the browser: their part of the profile, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** For members: their organization's endpoints with their deliveries. */
export const loadWebhooks = () =>
  withTexts(import('./Webhooks.tsx'), 'webhooks').then((module) => module.Webhooks);
