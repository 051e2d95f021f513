// The keys that sign licenses: the first comes with the installation, later ones are stored encrypted; public
// keys are kept forever.
import { generateKeyPairSync } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { licensing, ListedKey } from '../contract.ts';
import { algorithm, keyIdOf, publicHalf } from './signing.ts';
import { insertFirstKey, insertKey, retireKey, storedKeys, type StoredKey } from './store-keys.ts';

const purpose = 'licence key';

/**
 * Returns all keys, the current one first. Before anything is signed, the only key is the installation's own,
 * which is not stored.
 */
async function keysOf(ctx: Ctx): Promise<readonly StoredKey[]> {
  const stored = await storedKeys(ctx);
  const publicKey = publicHalf(ctx.app.secrets.licenceKey);
  const first: StoredKey = {
    keyId: keyIdOf(publicKey),
    publicKey,
    sealed: null,
    madeAt: null,
    retiredAt: null,
  };
  return stored.length === 0 ? [first] : stored;
}

const view = ({ keyId, publicKey, madeAt, retiredAt }: StoredKey): ListedKey => ({
  keyId,
  algorithm,
  publicKey,
  madeAt,
  retiredAt,
});

/**
 * The current signing key with its private part, locked until the transaction ends. For writes that store its
 * id.
 */
export async function signingKey(ctx: Ctx): Promise<{ readonly keyId: string; readonly privateKey: string }> {
  await lockUntilEnd(ctx, 'licence key');
  const publicKey = publicHalf(ctx.app.secrets.licenceKey);
  await insertFirstKey(ctx, keyIdOf(publicKey), publicKey);
  return presentKey(ctx);
}

/** The current signing key with its private part. */
export async function presentKey(ctx: Ctx): Promise<{ readonly keyId: string; readonly privateKey: string }> {
  const { keyId, sealed } = required(
    (await keysOf(ctx)).find(({ retiredAt }) => retiredAt === null),
    'a key that signs',
  );
  return {
    keyId,
    privateKey: sealed === null ? ctx.app.secrets.licenceKey : unseal(ctx.app, purpose, keyId, sealed),
  };
}

export async function publicKey(ctx: Ctx): Promise<Out<typeof licensing.publicKey>> {
  const [present] = await keysOf(ctx);
  const { keyId, publicKey: spki } = required(present, 'a key that signs');
  return { keyId, algorithm, publicKey: spki };
}

export async function publicKeys(ctx: Ctx): Promise<Out<typeof licensing.publicKeys>> {
  return { keys: (await keysOf(ctx)).map(view) };
}

/**
 * Creates a new key. Licenses signed with the previous key remain valid; its private part is deleted, so that
 * nothing can be signed with it again.
 */
export async function rotateLicenceKey(
  ctx: Ctx,
  { reason }: In<typeof licensing.rotateLicenceKey>,
): Promise<ListedKey> {
  const former = await signingKey(ctx);
  const { publicKey: made, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keyId = keyIdOf(made);
  await retireKey(ctx, former.keyId);
  await insertKey(ctx, keyId, made, seal(ctx.app, purpose, keyId, privateKey), person(ctx).userId);
  ctx.audit('licensing.rotateLicenceKey', keyId, {
    reason,
    before: { keyId: former.keyId },
    after: { keyId },
  });
  return { keyId, algorithm, publicKey: made, madeAt: ctx.now, retiredAt: null };
}
