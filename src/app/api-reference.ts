// What the API documentation contains besides the calls: its introduction, and the names and groups of the
// features.
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { enUS } from './locales/console/enUS.ts';

/** In Markdown, above the first group. */
export const introduction = `Everything that the console shows and does is available here.

**Authentication.** Create an API key in the console and send it as \`Authorization: Bearer <secret>\`. Each operation names the scope or permission (\`x-permission\`) that a key needs.

**Responses.** Every JSON response is \`{ "data", "isSuccess", "message" }\`. If a request is rejected, \`code\` is a stable error code, \`errors\` lists the fields, \`requestId\` identifies the request in the log, and \`message\` explains in the language of \`Accept-Language\` how to fix it.

**Amounts and times.** Amounts are exact decimals as text with their currency, such as \`{ "amount": "1234.50", "currency": "TWD" }\`. Times are RFC 3339 in UTC.

**Pagination.** Lists take \`limit\` (up to 200) and \`cursor\`, and return \`items\`, \`total\`, and \`nextCursor\`.

**Repeating safely.** Send an \`Idempotency-Key\` with operations that take one: repeated within 72 hours with the same key and body, the operation runs once and returns the same response.

**Concurrent changes.** Reading a single object returns an \`ETag\`. Send it as \`If-Match\` with a change, which is then made only if the object hasn’t changed (otherwise 412).

**Rate limits.** 600 requests a minute for each key. After a 429, wait for the seconds in \`Retry-After\`.`;

/** The features in documentation order. */
export const tagGroups: readonly { readonly name: string; readonly tags: readonly string[] }[] = [
  { name: 'Usage', tags: ['usage', 'insights', 'quotas', 'budgets', 'rejections'] },
  { name: 'Catalog and subscriptions', tags: ['meters', 'catalogue', 'subscriptions', 'planning', 'quotes'] },
  {
    name: 'Billing',
    tags: [
      'billing',
      'credits',
      'oneoffs',
      'discounts',
      'creditgrants',
      'commitments',
      'payers',
      'resellers',
      'taxes',
      'einvoices',
      'en16931',
      'billproofs',
    ],
  },
  {
    name: 'Payments',
    tags: [
      'payments',
      'collection',
      'topups',
      'banking',
      'plans',
      'latefees',
      'creditlimits',
      'dunning',
      'gateways',
    ],
  },
  { name: 'Reports and books', tags: ['console', 'metrics', 'books', 'accounting', 'rates', 'packs'] },
  { name: 'Usage from other systems', tags: ['connectors', 'costs', 'eventstreams', 'reconciliation'] },
  { name: 'Notifications and webhooks', tags: ['webhooks', 'notifications', 'announcements', 'sms', 'push'] },
  {
    name: 'Accounts and access',
    tags: [
      'identity',
      'users',
      'signin',
      'federation',
      'providers',
      'customroles',
      'grants',
      'sessionpolicies',
      'approvals',
      'devices',
      'portal',
      'security',
      'audit',
      'auditexports',
    ],
  },
  {
    name: 'Operations',
    tags: [
      'administration',
      'monitoring',
      'backups',
      'dataexports',
      'personaldata',
      'licensing',
      'sandboxes',
    ],
  },
];

const texts: Readonly<Record<string, string>> = enUS;

/** The features as tags, each with its title from the permission table. */
export const tagsOf = (features: readonly Feature[]): { name: string; 'x-displayName'?: string }[] =>
  features.map(({ name }) => {
    const title = texts[`permissions.group_${name}`];
    return title === undefined ? { name } : { name, 'x-displayName': title };
  });
