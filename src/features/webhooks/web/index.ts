// The browser's door of webhooks: their part of the profile, fetched when it is opened.

/** Members: the own organization's endpoints and what each was told. */
export const loadWebhooks = () => import('./Webhooks.tsx').then((module) => module.Webhooks);
