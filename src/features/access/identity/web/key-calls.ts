// The calls for API keys, of the platform by an Admin or of an organization by its User.
import type { In, Out } from '#kernel/contract.ts';
import type { identity } from '../contract.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { identityApi, identityKey } from './api.ts';

/** Whose keys a screen shows. */
export type KeyOwner = 'platform' | 'organization';
export type KeyWithSecret = Out<typeof identity.createApiKey>;
type Key = { readonly keyId: In<typeof identity.revokeApiKey>['keyId'] };

type Calls = {
  readonly list: 'listApiKeys' | 'organizationKeys';
  readonly create: (input: In<typeof identity.createApiKey>) => Promise<KeyWithSecret>;
  readonly rotate: (input: In<typeof identity.rotateApiKey>) => Promise<KeyWithSecret>;
  readonly revoke: (input: Key) => Promise<null>;
};
const calls: Readonly<Record<KeyOwner, Calls>> = {
  platform: {
    list: 'listApiKeys',
    create: identityApi.createApiKey,
    rotate: identityApi.rotateApiKey,
    revoke: identityApi.revokeApiKey,
  },
  organization: {
    list: 'organizationKeys',
    create: identityApi.createOrganizationKey,
    rotate: identityApi.rotateOrganizationKey,
    revoke: identityApi.revokeOrganizationKey,
  },
};

/** Answers contain a secret and are returned only once, so requests are not retried. */
export function useKeyCalls(owner: KeyOwner) {
  const { list, create, rotate, revoke } = calls[owner];
  const options = { invalidates: [identityKey(list)] };
  return {
    create: useCall(create, options),
    rotate: useCall(rotate, options),
    revoke: useCall(revoke, options),
  };
}
