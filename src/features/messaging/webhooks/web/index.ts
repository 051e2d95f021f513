// The public API of webhooks in the browser: their part of the profile, fetched when it is opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** Members: the own organization's endpoints and what each was told. */
export const loadWebhooks = () =>
  withTexts(import('./Webhooks.tsx'), 'webhooks').then((module) => module.Webhooks);
