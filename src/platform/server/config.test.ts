import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skytally-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env });

describe('2.J-164 the environment', () => {
  it('needs no variables', () =>
    expect(read({})).toMatchObject({
      mode: 'production',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      smtpUrl: undefined,
      webhookLoopback: false,
    }));
  it.each([
    ['PORTT', '80', 'PORT'],
    ['DATABASE_ULR', 'postgres://x', 'DATABASE_URL'],
    ['SMTP_URI', 'smtp://x', 'SMTP_URL'],
    ['OIDC_ISUER', 'https://x', 'OIDC_ISSUER'],
    ['STRIPE_SECRET_KYE', 'x', 'STRIPE_SECRET_KEY'],
  ])('rejects the misspelled %s and suggests the right name', (name, value, meant) =>
    expect(() => read({ [name]: value })).toThrow(`did you mean ${meant}?`),
  );
  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'console.example'],
    ['DATABASE_URL', 'mysql://x'],
    ['SETUP_TOKEN', 'short'],
    ['SMTP_URL', 'http://mail'],
    ['MAIL_FROM', 'a@b.example\r\nBcc: c@d.example'],
    ['WEBHOOK_LOOPBACK', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
  ])('rejects %s=%j with its name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(ConfigError);
    expect(() => read({ [name]: value })).toThrow(name);
  });
  it('rejects incomplete groups; a payment provider without all its secrets does not exist', () => {
    expect(() => read({ OIDC_ISSUER: 'https://id.example' })).toThrow('belong together');
    expect(read({ STRIPE_SECRET_KEY: 'sk_test_x' }).stripe).toBeUndefined();
  });
  it('ignores variables of other programs', () =>
    expect(() => read({ PATH: '/bin', HOME: '/root', LANG: 'C', EDITOR: 'vi' })).not.toThrow());
  it('never shows its secrets', () => {
    const { environment } = read({
      SMTP_URL: 'smtp://me:planted@mail.example',
      SETUP_TOKEN: 'planted-setup-token',
      STRIPE_SECRET_KEY: 'planted',
      STRIPE_WEBHOOK_SECRET: 'planted',
      ECPAY_MERCHANT_ID: '1',
      ECPAY_HASH_KEY: 'planted-planted',
      ECPAY_HASH_IV: 'planted-planted',
      SMS_GATEWAY_URL: 'https://sms.example',
      SMS_GATEWAY_TOKEN: 'planted',
      DATABASE_URL: 'postgres://me:planted@db.example/x',
    });
    expect(JSON.stringify(environment)).not.toContain('planted');
    expect(environment.filter(({ isGiven }) => isGiven).map(({ name }) => name)).toContain(
      'SMS_GATEWAY_TOKEN',
    );
  });
});
