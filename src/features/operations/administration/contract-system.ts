// Calls that work before anybody signs in: whether the console is set up, and its set-up. Public pages load
// only this part of the contract.
import * as z from 'zod/mini';
import { file, noInput, route } from '#kernel/contract.ts';
import { contentLanguage, currency, email, id, text, timeZone, unsignedDecimal } from '#kernel/shape.ts';
import { SignedIn } from '#features/access/identity/contract.ts';

/** The brand under which the console appears: the operator's, or a reseller's. */
const seenAs = {
  name: z.string(),
  companyPrefix: z.string(),
  /** The support address for users; empty when there is none. */
  supportEmail: z.string(),
  /** A reseller's color, `#RRGGBB`; null: the console's own. */
  accent: z.nullable(z.string()),
  /** The id of a reseller's logo; null: the console's own. */
  logo: z.nullable(id('lgo')),
};
export const SeenAs = z.strictObject(seenAs);
export type SeenAs = z.output<typeof SeenAs>;

export const SystemStatus = z.strictObject({
  initialized: z.boolean(),
  ...seenAs,
  /**
   * At a reseller's host name: the console's own address, where passkeys and external providers sign in. Null
   * at the console's own address.
   */
  mainAddress: z.nullable(z.string()),
  version: z.string(),
  currency,
  timeZone: z.string(),
  language: contentLanguage,
  /** The available ways to sign in; `passwordReset` needs an SMTP server. */
  signIn: z.strictObject({
    password: z.boolean(),
    google: z.boolean(),
    oidc: z.boolean(),
    /** Whether a company's own identity provider can be selected by the domain of an address. */
    company: z.boolean(),
    passwordReset: z.boolean(),
  }),
});
export type SystemStatus = z.output<typeof SystemStatus>;

export const systemRoutes = {
  systemStatus: route({
    method: 'GET',
    path: '/system/status',
    access: 'public',
    summary: 'Get the system status',
    description: 'Whether the console is set up, its name, and its ways to sign in.',
    input: noInput,
    output: SystemStatus,
  }),
  seenAs: route({
    method: 'GET',
    path: '/system/brand',
    access: { roles: ['Admin', 'User', 'ReadOnly'] },
    isBatchable: true,
    beforeEnrolment: true,
    summary: 'Get the console’s brand',
    description:
      'The name under which you see the console: the operator’s, or that of the reseller that sells to you.',
    input: noInput,
    output: SeenAs,
  }),
  systemManifest: route({
    method: 'GET',
    path: '/system/manifest',
    access: 'public',
    summary: 'Get the web app manifest',
    description: 'With it, browsers install the console under its name.',
    input: noInput,
    output: file,
  }),
  initialize: route({
    method: 'POST',
    path: '/system/initialization',
    access: 'public',
    status: 201,
    perMinute: 120,
    summary: 'Set up the console',
    description:
      'Sets the brand and the first Admin, once, and signs the Admin in. The tax rate is a percentage: 5 means 5%.',
    input: z.strictObject({
      setupToken: text(200),
      basic: z.strictObject({
        name: text(60),
        companyPrefix: text(60, 0),
        currency,
        timeZone,
        language: contentLanguage,
        taxRate: unsignedDecimal,
      }),
      admin: z.strictObject({
        account: email,
        name: text(120),
        password: z.string().check(z.minLength(1), z.maxLength(1024)),
      }),
    }),
    output: SignedIn,
  }),
  checkSetupToken: route({
    method: 'POST',
    path: '/system/initialization/check',
    access: 'public',
    perMinute: 20,
    summary: 'Check a set-up token',
    description: 'Whether it’s the right one, before anything is typed.',
    input: z.strictObject({ setupToken: text(200) }),
    output: z.strictObject({
      checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    }),
  }),
};
