// The environment without its secrets, the status of external services, and the history of settings
// (R-ADM-03).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '#features/operations/administration/contract.ts';
import { startHostileIdp, type HostileIdp } from '../support/hostile-idp.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';
import { ecpayAccount, FakeEcpay } from '../support/ecpay.ts';
import { FakeStripe, stripeSecret } from '../support/stripe.ts';

let console: TestConsole;
let token: string;
let idp: HostileIdp;
let honest: HostileIdp['answers'];
let stripe: FakeStripe;
let ecpay: FakeEcpay;
const test = (service: 'google' | 'oidc' | 'stripe' | 'ecpay') =>
  console.ok(administration.testService, { service }, { token });

beforeAll(async () => {
  idp = await startHostileIdp(() => new Date('2024-10-05T03:00:00Z'));
  honest = { ...idp.answers };
  [stripe, ecpay] = [await new FakeStripe().start(), await new FakeEcpay().start()];
  console = await createTestConsole(undefined, {
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: 'console',
    GOOGLE_CLIENT_ID: 'google-us',
    GOOGLE_JWKS_URL: `${idp.issuer}/jwks`,
    SMTP_URL: 'smtp://mailer:planted-password@127.0.0.1:1',
    SETUP_TOKEN: 'planted-setup-token',
    STRIPE_SECRET_KEY: 'sk_test_planted',
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    STRIPE_API_BASE: stripe.address,
    ECPAY_MERCHANT_ID: ecpayAccount.merchantId,
    ECPAY_HASH_KEY: ecpayAccount.hashKey,
    ECPAY_HASH_IV: ecpayAccount.hashIv,
    ECPAY_API_BASE: ecpay.address,
  });
  token = await setUp({ ...console, setupToken: 'planted-setup-token' });
});
afterAll(async () => {
  await idp.end();
  await stripe.stop();
  await ecpay.stop();
});

describe('R-ADM-03 the environment', () => {
  it('is shown with changed and default values, without secrets', async () => {
    const answer = await console.ok(administration.environment, {}, { token });
    const of = (name: string) => answer.items.find((item) => item.name === name);
    expect(of('OIDC_ISSUER')).toEqual({
      name: 'OIDC_ISSUER',
      isGiven: true,
      isSecret: false,
      value: idp.issuer,
    });
    expect(of('STRIPE_SECRET_KEY')).toEqual({
      name: 'STRIPE_SECRET_KEY',
      isGiven: true,
      isSecret: true,
      value: null,
    });
    expect(of('HOST')).toEqual({ name: 'HOST', isGiven: false, isSecret: false, value: '127.0.0.1' });
    expect(of('SMTP_URL')?.value).toBe('smtp://mailer:***@127.0.0.1:1');
    for (const secret of ['planted', stripeSecret, ecpayAccount.hashKey, ecpayAccount.hashIv])
      expect(JSON.stringify(answer)).not.toContain(secret);
    expect(answer.services).toEqual([
      { service: 'google', isOn: true },
      { service: 'oidc', isOn: true },
      { service: 'stripe', isOn: true },
      { service: 'ecpay', isOn: true },
    ]);
  });
});

describe('R-ADM-03 tests of external services', () => {
  it.each(['google', 'oidc', 'stripe', 'ecpay'] as const)('%s passes', async (service) =>
    expect(await test(service)).toMatchObject({ isGood: true }),
  );

  it('report errors of an identity provider, queried each time', async () => {
    idp.answers.discovery = (document) => honest.discovery({ ...document, issuer: 'https://evil.example' });
    expect(await test('oidc')).toMatchObject({
      isGood: false,
      message: expect.stringContaining('another issuer'),
    });
    idp.answers.discovery = honest.discovery;
    expect(await test('oidc')).toMatchObject({ isGood: true });
  });

  it('report that a payment provider rejects, without its message', async () => {
    stripe.mishaps.push('refused');
    const refused = await test('stripe');
    expect(refused).toMatchObject({ isGood: false, message: expect.stringContaining('refused') });
    expect(refused.message).not.toContain('as told');
    stripe.mishaps.push('fault');
    expect(await test('stripe')).toMatchObject({ isGood: false });
    expect(stripe.calls.every((call) => call === 'GET /v1/balance')).toBe(true);
    await ecpay.stop();
    expect(await test('ecpay')).toMatchObject({ isGood: false });
  });

  it('reject a service that is not configured', async () => {
    const bare = await createTestConsole();
    const admin = await setUp(bare);
    expect(
      (await bare.call(administration.testService, { service: 'stripe' }, { token: admin })).envelope.code,
    ).toBe('administration.service_off');
  });
});

describe('R-ADM-03 the history of settings', () => {
  it('has old and new value, user and time of each setting, and no entry if nothing changed', async () => {
    await console.ok(administration.updateSettings, { dueDays: 14, taxRate: '5' }, { token });
    await console.ok(administration.updateSettings, { dueDays: 14 }, { token });
    await console.ok(
      administration.updateSettings,
      { seller: { name: 'Formosa Cloud', taxId: '', address: '', email: '' } },
      { token },
    );
    const { items, total } = await console.ok(administration.settingsHistory, {}, { token });
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { by: 'Operator', changes: [{ key: 'seller', after: { name: 'Formosa Cloud' } }] },
      { by: 'Operator', at: console.clock.now(), changes: [{ key: 'dueDays', before: 30, after: 14 }] },
    ]);
  });
});
