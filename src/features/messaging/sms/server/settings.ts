// The SMS gateway: from the environment, or else as configured by an Admin. Its token is stored encrypted and
// never shown.
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { isSafeAddress } from '#platform/server/config.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import { person, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { loadSettings, setting, settingOf, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { SmsGateway, smsErrors, type sms, type SmsSettings } from '../contract.ts';
import type { ReadyGateway } from './gateway.ts';

const purpose = 'skytally sms gateway';
const owner = 'sms.gateway';

const Stored = z.strictObject({
  isOn: z.boolean(),
  gateway: SmsGateway,
  /** Encrypted, base64; empty: none. */
  token: z.string(),
});
const initial: z.output<typeof Stored> = {
  isOn: false,
  gateway: {
    preset: 'generic',
    url: '',
    account: '',
    from: '',
    toField: 'to',
    textField: 'text',
    fromField: 'from',
  },
  token: '',
};
const gatewaySetting = setting('sms.gateway', Stored, initial);

const ofEnvironment = (app: App): ReadyGateway | undefined =>
  app.config.sms && {
    ...initial.gateway,
    url: app.config.sms.url,
    token: app.config.sms.token ?? '',
    setBy: 'environment',
  };

/** Returns the current gateway; undefined when none is configured. */
export async function gatewayNow(app: App, db: Kysely<unknown>): Promise<ReadyGateway | undefined> {
  const given = ofEnvironment(app);
  if (given) return given;
  const { isOn, gateway, token } = settingOf(await loadSettings(db), gatewaySetting);
  return isOn
    ? {
        ...gateway,
        token: token === '' ? '' : unseal(app, purpose, owner, Buffer.from(token, 'base64')),
        setBy: { privateHosts: app.config.privateHosts },
      }
    : undefined;
}

/** Whether text messages can be sent at all. */
export async function hasSms(ctx: Ctx): Promise<boolean> {
  return ctx.app.config.sms !== undefined || (await ctx.setting(gatewaySetting)).isOn;
}

export async function getSmsSettings(ctx: Ctx): Promise<SmsSettings> {
  const given = ctx.app.config.sms;
  const { isOn, gateway, token } = await ctx.setting(gatewaySetting);
  if (given)
    return {
      source: 'environment',
      isOn: true,
      gateway: { ...initial.gateway, url: new URL(given.url).origin },
      hasToken: given.token !== undefined,
    };
  return { source: isOn ? 'settings' : 'off', isOn, gateway, hasToken: token !== '' };
}

/**
 * Stores the gateway. The token belongs to its address and account: when either changes, a new token is
 * required.
 */
export async function saveSmsSettings(ctx: Ctx, input: In<typeof sms.saveSmsSettings>): Promise<SmsSettings> {
  if (ctx.app.config.sms) throw domainError(smsErrors, 'sms.from_environment');
  const { isOn, token, ...gateway } = input;
  if (!isSafeAddress(gateway.url)) throw domainError(smsErrors, 'sms.url_unsafe', {}, ['url']);
  // Host names are resolved and checked when a message is sent, because their addresses may change.
  if (targetIssue(gateway.url, false, ctx.app.config.privateHosts) !== undefined)
    throw domainError(smsErrors, 'sms.url_private', {}, ['url']);
  if (gateway.preset === 'twilio' && gateway.account === '')
    throw domainError(smsErrors, 'sms.account_missing', {}, ['account']);
  if (gateway.preset === 'twilio' && gateway.from === '')
    throw domainError(smsErrors, 'sms.from_missing', {}, ['from']);
  const before = await ctx.setting(gatewaySetting);
  const isSamePlace =
    before.gateway.url === gateway.url &&
    before.gateway.account === gateway.account &&
    before.gateway.preset === gateway.preset;
  const previousToken = isSamePlace ? before.token : '';
  const sealed =
    token === undefined
      ? previousToken
      : token === ''
        ? ''
        : seal(ctx.app, purpose, owner, token).toString('base64');
  await storeSetting(ctx.db, gatewaySetting, { isOn, gateway, token: sealed }, ctx.now, person(ctx).userId);
  // The audit log records only whether there is a token, and whether it changed.
  ctx.audit('sms.saveSmsSettings', undefined, {
    before: { isOn: before.isOn, ...before.gateway, hasToken: before.token !== '' },
    after: { isOn, ...gateway, hasToken: sealed !== '' },
    isTokenChanged: sealed !== before.token,
  });
  return { source: isOn ? 'settings' : 'off', isOn, gateway, hasToken: sealed !== '' };
}
