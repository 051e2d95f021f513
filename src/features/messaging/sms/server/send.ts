// Sends text messages through the outbox to users' numbers.
import * as z from 'zod/mini';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { Undeliverable, type Sender } from '#platform/server/live/outbox.ts';
import { smsErrors, type sms } from '../contract.ts';
import { e164, smsText } from '../rules.ts';
import { GatewayBusy, GatewayForbidden, GatewayRefused, sendThrough } from './gateway.ts';
import { gatewayNow, hasSms } from './settings.ts';
import { phonesOf } from './store.ts';

/** The outbox kind of text messages. */
export const smsKind = 'sms';

/** One text message to a user. `key` is permanently unique. */
export type SmsMessage = {
  readonly userId: string;
  readonly key: string;
  readonly text: string;
  readonly dueAt?: Date | undefined;
};
/** A user who was skipped, and why. */
export type SmsSkipped = {
  readonly userId: string;
  readonly reason: 'no_gateway' | 'no_number' | 'number_wrong';
};

const Payload = z.strictObject({ to: z.string(), text: z.string() });

/**
 * Queues one message for each user who has a number; returns the skipped users. Uses one statement for all
 * messages.
 */
export async function sendSms(ctx: Ctx, messages: readonly SmsMessage[]): Promise<readonly SmsSkipped[]> {
  if (messages.length === 0) return [];
  // A message sent weeks late, once a gateway is configured, would only confuse.
  if (!(await hasSms(ctx))) return messages.map(({ userId }) => ({ userId, reason: 'no_gateway' }));
  const phones = new Map(
    (await phonesOf(ctx, [...new Set(messages.map(({ userId }) => userId))])).map(({ userId, phone }) => [
      userId,
      phone,
    ]),
  );
  const skipped: SmsSkipped[] = [];
  for (const { userId, key, text, dueAt } of messages) {
    const phone = phones.get(userId);
    const to = phone === undefined ? undefined : e164(phone);
    if (to === undefined)
      skipped.push({ userId, reason: phone === undefined ? 'no_number' : 'number_wrong' });
    else ctx.send(smsKind, key, { to, text: smsText(text) } satisfies z.output<typeof Payload>, dueAt);
  }
  return skipped;
}

/** The outbox's sender of text messages. */
export function smsSender(app: App): Sender {
  return {
    atOnce: 4,
    send: async ({ payload }) => {
      const gateway = await gatewayNow(app, app.database.kysely);
      if (!gateway) throw new Undeliverable('no gateway for text messages is set up');
      try {
        await sendThrough(gateway, z.parse(Payload, payload));
      } catch (error) {
        throw error instanceof GatewayRefused ? new Undeliverable(error.message, { cause: error }) : error;
      }
    },
  };
}

/**
 * Sends one message immediately, so that an Admin sees whether the gateway accepts it. No transaction is open
 * meanwhile.
 */
export async function testSms(ctx: Ctx, input: In<typeof sms.testSms>): Promise<Out<typeof sms.testSms>> {
  const to = e164(input.to);
  if (to === undefined) throw domainError(smsErrors, 'sms.number_wrong', {}, ['to']);
  const gateway = await gatewayNow(ctx.app, ctx.db);
  if (!gateway) throw domainError(smsErrors, 'sms.off');
  const began = performance.now();
  try {
    const reference = await sendThrough(gateway, { to, text: ctx.text('sms.test_text') });
    return { to, ms: Math.round(performance.now() - began), reference };
  } catch (error) {
    if (error instanceof GatewayForbidden) throw domainError(smsErrors, 'sms.url_private');
    if (error instanceof GatewayRefused)
      throw domainError(smsErrors, 'sms.gateway_refused', { reason: error.message });
    if (error instanceof GatewayBusy)
      throw domainError(smsErrors, 'sms.gateway_silent', { reason: error.message });
    throw error;
  }
}
