// The public half of the key that signs licences.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { sha256 } from '#platform/server/digest.ts';
import type { licensing } from '../contract.ts';

const keyIdLength = 16;

/** The key as SPKI in PEM; its id is the beginning of its SHA-256, so that a rotated key has another. */
export async function publicKey(ctx: Ctx): Promise<Out<typeof licensing.publicKey>> {
  const spki = createPublicKey(createPrivateKey(ctx.world.secrets.licenceKey)).export({ type: 'spki', format: 'pem' }).toString();
  return { keyId: sha256(spki).toString('hex').slice(0, keyIdLength), algorithm: 'ed25519', publicKey: spki };
}
