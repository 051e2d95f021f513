// Signs licenses and revocation lists, and replaces a machine's parts by keyed hashes.
import { createHmac, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { sha256 } from '#platform/server/security/digest.ts';
import { canonicalJson, thresholdOf, type Canonical, type Part } from '../rules.ts';
import type { Fingerprint } from './payload.ts';

export const algorithm = 'ed25519';
const keyIdLength = 16;

/** A key's id: the start of the SHA-256 of its public half (SPKI in PEM). */
export const keyIdOf = (publicKey: string): string => sha256(publicKey).toString('hex').slice(0, keyIdLength);
/** Derives the public half of a private key (PKCS 8 in PEM), as SPKI in PEM. */
export const publicHalf = (privateKey: string): string =>
  createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();

/**
 * The purpose is part of the signed text, so that a signature of a revocation list is not valid for a
 * license.
 */
export type Purpose = 'skytally-licence' | 'skytally-licence-revocations';

/**
 * A detached signature file: JSON `{ algorithm, keyId, signature }` over the purpose, a line feed and the
 * text.
 */
export function signatureFile(
  purpose: 'skytally-bill-proof' | 'skytally-erasure',
  { keyId, privateKey }: { readonly keyId: string; readonly privateKey: string },
  text: string,
): string {
  const signature = sign(null, Buffer.from(`${purpose}\n${text}`), createPrivateKey(privateKey));
  return `${JSON.stringify({ algorithm, keyId, signature: signature.toString('base64url') })}\n`;
}

/**
 * A signed file: base64 of canonical JSON `{ algorithm, keyId, payload, signature }`. The signature
 * (base64url) covers the purpose, a line feed and the canonical JSON of the other three, so that neither key
 * nor algorithm can be swapped.
 */
export function signedFile(
  purpose: Purpose,
  key: { readonly keyId: string; readonly privateKey: string },
  payload: Canonical,
): string {
  const { keyId, privateKey } = key;
  const signature = sign(
    null,
    Buffer.from(`${purpose}\n${canonicalJson({ algorithm, keyId, payload })}`),
    createPrivateKey(privateKey),
  ).toString('base64url');
  return Buffer.from(canonicalJson({ algorithm, keyId, payload, signature })).toString('base64');
}

const saltBytes = 16;

/**
 * The fingerprint of a machine's parts: HMAC-SHA-256 with a random salt, so that the file does not reveal the
 * hardware and two licences of one machine cannot be linked. `threshold` of the parts must match; a part
 * matches when any of its values does.
 */
export function fingerprintOf(parts: readonly Part[]): Fingerprint {
  const salt = randomBytes(saltBytes);
  return {
    salt: salt.toString('base64url'),
    threshold: thresholdOf(parts.length),
    parts: parts.map(({ kind, values }) => ({
      kind,
      hashes: values
        .map((value) => createHmac('sha256', salt).update(`${kind}\n${value}`).digest('base64url'))
        .toSorted(),
    })),
  };
}
