// What calls demand because of their input: an area's own permission where a call of another area has an effect
// there, and a fresh proof of identity where a call creates access that outlives the session.
import * as z from 'zod/mini';
import type { Permission } from '#kernel/permissions.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Demands, DemandsOf } from '#platform/server/http/admission.ts';
import { keyKinds, type KeyKind } from '#features/access/identity/contract.ts';
import { scopeOfKey } from '#features/access/identity/server/index.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { permissionsToChange } from '#features/operations/administration/server/index.ts';

/** What an organization's key with the scope `read` can read. */
export const readByKeys: readonly Permission[] = [
  'customers:read',
  'subscriptions:read',
  'usage:read',
  'billing:read',
  'payments:read',
  'reports:read',
];
/** What an organization's notices, which webhooks forward, are about: the areas of the pages that they lead to. */
const toldByWebhooks: readonly Permission[] = ['usage:read', 'billing:read', 'reports:read'];
/** What an import creates besides the import itself. */
const createdByImports: readonly Permission[] = [
  'catalogue:write',
  'customers:write',
  'subscriptions:write',
  'usage:write',
];

/**
 * Keys that belong to nobody must not do what their creator may not. A key with permissions acts for its creator, and
 * is limited by their role whatever it includes.
 */
const demandsOfKey = (scope: KeyKind | undefined): Demands => {
  if (scope === 'permissions') return { isFresh: true };
  if (scope === 'read') return { permissions: readByKeys };
  return scope === undefined ? {} : { permissions: ['usage:write'] };
};

const NewKey = z.object({ scope: z._default(z.enum(keyKinds), 'metering') });
const KeyNamed = z.object({ keyId: z.string() });

type Demand = (app: App, input: unknown) => Promise<Demands>;
const createKey: Demand = async (_app, input) => demandsOfKey(z.parse(NewKey, input).scope);
const rotateKey: Demand = async (app, input) =>
  demandsOfKey(await scopeOfKey(app.database.kysely, z.parse(KeyNamed, input).keyId));
const importing: Demand = async () => ({ permissions: createdByImports });
const webhooks: Demand = async () => ({ rolePermissions: toldByWebhooks });

const demands = new Map<string, Demand>([
  ['identity.createApiKey', createKey],
  ['identity.createOrganizationKey', createKey],
  ['identity.rotateApiKey', rotateKey],
  ['identity.rotateOrganizationKey', rotateKey],
  ['devices.confirmDevice', async () => ({ isFresh: true })],
  [
    'administration.updateSettings',
    async (app, input) => {
      const change = z.parse(administration.updateSettings.input, input);
      const permissions = await permissionsToChange(app, change);
      return { permissions, isFresh: permissions.includes('people:write') };
    },
  ],
  ['administration.importFocus', importing],
  ['administration.importDemo', importing],
  ['webhooks.createEndpoint', webhooks],
  ['webhooks.updateEndpoint', webhooks],
  ['webhooks.applyWebhooks', webhooks],
  ['webhooks.getDelivery', webhooks],
]);

/** The calls with demands, as feature.verb. */
export const demandingCalls: readonly string[] = [...demands.keys()];

export const demandsOf: DemandsOf = (app, name, input) => demands.get(name)?.(app, input);
