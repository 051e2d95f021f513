// The console's key towards push services (VAPID, RFC 8292): the same for ever, and for all consoles with the same secrets.
import { createECDH, hkdfSync } from 'node:crypto';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

export type VapidKeys = { readonly publicKey: string; readonly privateKey: string };
const made = new WeakMap<App, VapidKeys>();

/**
 * The key pair, in unpadded base64url. It follows from the console's own secret (mode 0600), so there is nothing more to
 * keep or to share between consoles; with another secret, browsers have to be registered anew.
 */
export function vapidKeys(app: App): VapidKeys {
  const keys = made.get(app) ?? deriveKeys(app.secrets.accessTokenKey);
  made.set(app, keys);
  return keys;
}

function deriveKeys(accessTokenKey: string): VapidKeys {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(
      hkdfSync('sha256', Buffer.from(accessTokenKey, 'base64url'), '', `skytally push ${attempt}`, 32),
    );
    const curve = createECDH('prime256v1');
    try {
      curve.setPrivateKey(scalar);
    } catch (error) {
      // One number of four thousand million lies above the curve's order: the next one is taken.
      if (attempt < 8) continue;
      throw error;
    }
    return { publicKey: curve.getPublicKey('base64url'), privateKey: scalar.toString('base64url') };
  }
}
