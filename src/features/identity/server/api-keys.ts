// API keys for machines: shown once, stored hashed, revoked at once.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import { mustHave } from '#kernel/must.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import { identityErrors, type identity } from '../contract.ts';
import { keyPrefix } from './authenticate.ts';
import { organizationById } from './store.ts';
import { apiKeys, countApiKeys, insertApiKey, revokeKey } from './store-sessions.ts';
import { digest, randomSecret } from './tokens.ts';

const defaultLimit = 25;

export async function listApiKeys(ctx: Ctx, input: In<typeof identity.listApiKeys>): Promise<Out<typeof identity.listApiKeys>> {
  const limit = input.limit ?? defaultLimit;
  const keys = await apiKeys(ctx, { limit: limit + 1, before: input.cursor ?? null });
  const items = keys.slice(0, limit);
  return { items, nextCursor: keys.length > limit ? (items.at(-1)?.id ?? null) : null, total: await countApiKeys(ctx) };
}

/** Makes a key and answers its secret, this once. */
export async function createApiKey(ctx: Ctx, input: In<typeof identity.createApiKey>): Promise<Out<typeof identity.createApiKey>> {
  if (input.organizationId && !(await organizationById(ctx.db, input.organizationId))) throw refuse(identityErrors, 'identity.organization_not_found');
  const secret = `${keyPrefix}${randomSecret()}`;
  const keyId = await insertApiKey(ctx, {
    name: input.name, scope: input.scope ?? 'metering', organizationId: input.organizationId ?? null, secretHash: digest(secret), createdBy: person(ctx).userId, expiresAt: input.expiresAt ?? null,
  });
  const [key] = await apiKeys(ctx, { id: keyId, limit: 1, before: null });
  ctx.note('identity.createApiKey', keyId, { scope: input.scope ?? 'metering', organizationId: input.organizationId ?? null });
  return { key: mustHave(key, 'the key that was just made'), secret };
}

/** Revokes a key: its next call is refused. */
export async function revokeApiKey(ctx: Ctx, input: In<typeof identity.revokeApiKey>): Promise<null> {
  if (!(await revokeKey(ctx, input.keyId))) throw refuse(identityErrors, 'identity.key_not_found');
  return null;
}
