// SMS: text messages through the operator's HTTP gateway.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { optionalText, text } from '#kernel/shape.ts';

export const smsPresets = ['generic', 'twilio'] as const;

const fieldName = z.string().check(z.trim(), z.regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,39}$/));

/** The Admin's settings without the secret. */
const gatewayFields = {
  preset: z.enum(smsPresets),
  /** Generic: the URL to which messages are posted. Twilio: its API, `https://api.twilio.com`. */
  url: text(500),
  /** Twilio: the account's SID. */
  account: optionalText(64),
  /** The sender's number or name. Twilio requires one; a generic gateway gets it if it is set. */
  from: optionalText(40),
  /** Generic: the JSON field names of the number, the text and the sender. */
  toField: fieldName,
  textField: fieldName,
  fromField: fieldName,
};
/** The stored gateway; empty until an Admin sets it. */
export const SmsGateway = z.strictObject({ ...gatewayFields, url: optionalText(500) });
export type SmsGateway = z.output<typeof SmsGateway>;

export const smsSources = ['off', 'environment', 'settings'] as const;

export const SmsSettings = z.strictObject({
  /** The origin of the gateway; one from the environment takes precedence. */
  source: z.enum(smsSources),
  isOn: z.boolean(),
  gateway: SmsGateway,
  /** Whether a token is stored. It is never shown again. */
  hasToken: z.boolean(),
});
export type SmsSettings = z.output<typeof SmsSettings>;

const admin = { roles: ['Admin'] } as const;

export const sms = contract({
  getSmsSettings: route({
    method: 'GET',
    path: '/admin/sms-settings',
    access: admin,
    summary: 'Get SMS settings',
    description: 'The text message gateway, without its secret.',
    input: noInput,
    output: SmsSettings,
  }),
  saveSmsSettings: route({
    method: 'PUT',
    path: '/admin/sms-settings',
    access: admin,
    summary: 'Update SMS settings',
    description: 'A token that’s left out is kept; an empty one is removed.',
    input: z.strictObject({ isOn: z.boolean(), ...gatewayFields, token: z.optional(optionalText(500)) }),
    output: SmsSettings,
  }),
  testSms: route({
    method: 'POST',
    path: '/admin/sms-settings/test',
    access: admin,
    perMinute: 10,
    summary: 'Send a test SMS',
    description: 'Sends one text message now and returns the gateway’s response.',
    input: z.strictObject({ to: text(40) }),
    output: z.strictObject({ to: z.string(), ms: z.int(), reference: z.string() }),
  }),
});

export const smsErrors = {
  'sms.off': 409,
  'sms.gateway_refused': 422,
  'sms.gateway_silent': 422,
  // Invalid fields: the answer names the field (400).
  'sms.number_wrong': 400,
  'sms.url_unsafe': 400,
  'sms.url_private': 400,
  'sms.account_missing': 400,
  'sms.from_missing': 400,
  'sms.from_environment': 409,
} as const satisfies ErrorTable;
