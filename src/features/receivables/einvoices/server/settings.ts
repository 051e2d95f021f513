// How e-invoices are issued: off until a provider is chosen. The provider's keys are stored encrypted and
// never shown.
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { person, type App, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { loadSettings, setting, settingOf, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { isTaxId } from '#features/access/identity/rules.ts';
import { sellerOf } from '#features/invoicing/billing/server/index.ts';
import { EinvoiceSettings, einvoicesErrors, type einvoices } from '../contract.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type EInvoiceProvider,
  type Party,
  type ProviderSettings,
} from './provider.ts';

const purpose = 'skytally e-invoice provider';
const qrPurpose = 'skytally e-invoice qr';
const owner = 'einvoices.provider';

/**
 * Creates the provider of stored settings; passed in by the app. Undefined if there is none with that name.
 */
export type CreateProvider = (app: App, settings: ProviderSettings) => EInvoiceProvider | undefined;

const Stored = z.extend(
  z.omit(EinvoiceSettings, { hasKeys: true, hasQrKey: true, seller: true, needsTracks: true }),
  // Encrypted, base64; empty for none.
  { keys: z.string(), qrKey: z.string() },
);
type Stored = z.output<typeof Stored>;
export const einvoiceSetting = setting<Stored>('einvoices', Stored, {
  provider: 'none',
  merchantId: '',
  isStage: false,
  hasB2b: false,
  companies: 'on_issue',
  consumers: 'on_payment',
  consumerHours: 48,
  companyHours: 168,
  warnHours: 12,
  lowPercent: 20,
  keys: '',
  qrKey: '',
});

const Keys = z.strictObject({ hashKey: z.string(), hashIv: z.string() });

/** Returns the configured provider; undefined if there is none. */
export async function providerNow(
  app: App,
  db: Kysely<unknown>,
  createProvider: CreateProvider,
): Promise<EInvoiceProvider | undefined> {
  const { provider, merchantId, isStage, hasB2b, keys } = settingOf(await loadSettings(db), einvoiceSetting);
  if (provider === 'none') return undefined;
  const { hashKey, hashIv } =
    keys === ''
      ? { hashKey: '', hashIv: '' }
      : z.parse(Keys, JSON.parse(unseal(app, purpose, owner, Buffer.from(keys, 'base64'))));
  return createProvider(app, { provider, merchantId, isStage, hasB2b, hashKey, hashIv });
}

/** Returns the Ministry's key for the QR codes of proofs; null without one. */
export async function qrKeyOf(ctx: Ctx): Promise<string | null> {
  const { qrKey } = await ctx.setting(einvoiceSetting);
  return qrKey === '' ? null : unseal(ctx.app, qrPurpose, owner, Buffer.from(qrKey, 'base64'));
}

/** Whether e-invoices are issued at all. */
export async function isOn(ctx: Ctx): Promise<boolean> {
  return (await ctx.setting(einvoiceSetting)).provider !== 'none';
}

/** The issuer: the seller of bills, with the details that invoices state. */
export async function sellerParty(ctx: Ctx): Promise<Party> {
  const { name, taxId, address, email } = (await sellerOf(ctx)).seller;
  return { name, taxId, address, email };
}

const shown = async (ctx: Ctx, { keys, qrKey, ...stored }: Stored): Promise<EinvoiceSettings> => ({
  ...stored,
  hasKeys: keys !== '',
  hasQrKey: qrKey !== '',
  seller: await sellerParty(ctx),
  needsTracks: stored.provider === 'turnkey',
});

export async function getEinvoiceSettings(ctx: Ctx): Promise<EinvoiceSettings> {
  return shown(ctx, await ctx.setting(einvoiceSetting));
}

/**
 * Stores the settings. Keys belong to their account: if the provider, its environment or the account changes,
 * new ones are required.
 */
export async function saveEinvoiceSettings(
  ctx: Ctx,
  { hashKey, hashIv, qrKey, ...input }: In<typeof einvoices.saveEinvoiceSettings>,
): Promise<EinvoiceSettings> {
  const before = await ctx.setting(einvoiceSetting);
  const isSameAccount =
    before.provider === input.provider &&
    before.merchantId === input.merchantId &&
    before.isStage === input.isStage;
  const given = (hashKey ?? '') !== '' || (hashIv ?? '') !== '';
  if (given && ((hashKey ?? '') === '' || (hashIv ?? '') === ''))
    throw domainError(einvoicesErrors, 'einvoices.keys_missing', {}, [hashKey ? 'hashIv' : 'hashKey']);
  const keys = given
    ? seal(ctx.app, purpose, owner, JSON.stringify({ hashKey, hashIv })).toString('base64')
    : isSameAccount
      ? before.keys
      : '';
  if (input.provider !== 'none') {
    const seller = await sellerParty(ctx);
    if (!isTaxId(seller.taxId) || seller.address === '')
      throw domainError(einvoicesErrors, 'einvoices.seller_missing', {}, ['provider']);
    if (input.provider !== 'turnkey') {
      if (input.merchantId === '')
        throw domainError(einvoicesErrors, 'einvoices.merchant_missing', {}, ['merchantId']);
      if (keys === '') throw domainError(einvoicesErrors, 'einvoices.keys_missing', {}, ['hashKey']);
    }
  }
  if (qrKey && !/^[0-9A-Fa-f]{32}$/.test(qrKey))
    throw domainError(einvoicesErrors, 'einvoices.qr_key_wrong', {}, ['qrKey']);
  const stored: Stored = {
    ...input,
    keys,
    qrKey:
      qrKey === undefined
        ? before.qrKey
        : qrKey === ''
          ? ''
          : seal(ctx.app, qrPurpose, owner, qrKey).toString('base64'),
  };
  await storeSetting(ctx.db, einvoiceSetting, stored, ctx.now, person(ctx).userId);
  const { keys: _keys, qrKey: _qrKey, ...was } = before;
  // The audit log records only whether there are keys, and whether they changed.
  ctx.audit('einvoices.saveEinvoiceSettings', undefined, {
    before: { ...was, hasKeys: before.keys !== '', hasQrKey: before.qrKey !== '' },
    after: { ...input, hasKeys: keys !== '', hasQrKey: stored.qrKey !== '' },
    areKeysChanged: keys !== before.keys,
  });
  ctx.publish('system/billing', { kind: 'einvoices' });
  return shown(ctx, stored);
}

/**
 * Calls the provider, so that an Admin sees whether address and keys are right. No transaction is open during
 * the call.
 */
export const checkEinvoiceProvider =
  (createProvider: CreateProvider) =>
  async (ctx: Ctx): Promise<Out<typeof einvoices.checkEinvoiceProvider>> => {
    const provider = await providerNow(ctx.app, ctx.db, createProvider);
    if (!provider) throw domainError(einvoicesErrors, 'einvoices.off');
    try {
      const { isLive } = await provider.check(ctx.now);
      return { isLive };
    } catch (error) {
      if (error instanceof ProviderRefused)
        throw domainError(einvoicesErrors, 'einvoices.provider_refused', {
          code: error.code,
          reason: error.message,
        });
      if (error instanceof ProviderUnsure)
        throw domainError(einvoicesErrors, 'einvoices.provider_silent', { reason: error.message });
      throw error;
    }
  };
