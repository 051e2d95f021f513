// Encryption of authenticator seeds at rest.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { openSeed, sealSeed } from './seeds.ts';

const app = (): App => ({ secrets: { accessTokenKey: randomBytes(32).toString('base64url') } }) as App;

describe('seeds (reliability.md 2.A-17)', () => {
  const installation = app();
  const sealed = sealSeed(installation, 'usr_a', 'JBSWY3DPEHPK3PXP');

  it('can be decrypted by the same installation for the same user only', () => {
    expect(openSeed(installation, 'usr_a', sealed)).toBe('JBSWY3DPEHPK3PXP');
    expect(() => openSeed(installation, 'usr_b', sealed)).toThrow();
    expect(() => openSeed(app(), 'usr_a', sealed)).toThrow();
  });
  it('are encrypted differently each time, and any changed byte is detected', () => {
    expect(sealSeed(installation, 'usr_a', 'JBSWY3DPEHPK3PXP').equals(sealed)).toBe(false);
    expect(sealed.toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP');
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(() => openSeed(installation, 'usr_a', changed), `byte ${place}`).toThrow();
    }
  });
});
