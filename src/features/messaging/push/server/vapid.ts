// The console's VAPID key for push services (RFC 8292): permanent, and the same for all consoles with the
// same secrets.
import { createECDH, hkdfSync } from 'node:crypto';
import { oncePer } from '#kernel/once.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

export type VapidKeys = { readonly publicKey: string; readonly privateKey: string };
/**
 * The key pair, in unpadded base64url. It is derived from the console's secret (file mode 0600), so it needs
 * no storage, and all console processes share it; after a change of the secret, browsers must be registered
 * again.
 */
export const vapidKeys = oncePer((app: App): VapidKeys => deriveKeys(app.secrets.accessTokenKey));

function deriveKeys(accessTokenKey: string): VapidKeys {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(
      hkdfSync('sha256', Buffer.from(accessTokenKey, 'base64url'), '', `skytally push ${attempt}`, 32),
    );
    const curve = createECDH('prime256v1');
    try {
      curve.setPrivateKey(scalar);
    } catch (error) {
      // About one in four billion derived numbers exceeds the curve's order; then the next one is used.
      if (attempt < 8) continue;
      throw error;
    }
    return { publicKey: curve.getPublicKey('base64url'), privateKey: scalar.toString('base64url') };
  }
}
