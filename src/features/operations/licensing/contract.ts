// Licensing: signed license files that can be verified offline, the keys to verify them, and revocations.
import * as z from 'zod/mini';
import { contract, file, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { exactDecimal, id, instant, optionalText, pageOf, pageQuery, text } from '#kernel/shape.ts';
import { subscriptionStates } from '#features/selling/subscriptions/contract.ts';

export const licenceStates = ['valid', 'expiring', 'expired', 'revoked', 'superseded'] as const;
export type LicenceState = (typeof licenceStates)[number];

export const Licence = z.strictObject({
  id: id('lic'),
  state: z.enum(licenceStates),
  subscriptionId: id('sub'),
  organizationId: id('org'),
  organization: z.string(),
  service: z.string(),
  /** The host name that the machine reported; may be empty. */
  machine: z.string(),
  issuedAt: instant,
  expiresAt: instant,
  revokedAt: z.nullable(instant),
  keyId: z.string(),
});
export type Licence = z.output<typeof Licence>;

/** A kind of part to which the license is bound, and its number of values. */
export const BoundPart = z.strictObject({ kind: z.string(), count: z.int() });
const bound = {
  parts: z.array(BoundPart),
  threshold: z.int(),
  /** Too few hardware parts are known: a copy of the installation would also be accepted. */
  isWeak: z.boolean(),
};
const licenceTerms = {
  quantity: exactDecimal,
  features: z.array(z.string()),
  limits: z.strictObject({
    quota: z.enum(['unlimited', 'soft', 'hard']),
    amount: z.nullable(z.string()),
    unit: z.nullable(z.string()),
  }),
};
export const LicenceDetail = z.extend(Licence, {
  ...bound,
  ...licenceTerms,
  issuedBy: z.string(),
  revokedBy: z.nullable(z.string()),
  revokeReason: z.nullable(z.string()),
  renews: z.nullable(id('lic')),
  supersededBy: z.nullable(id('lic')),
  /** SHA-256 of the file, hex. */ sha256: z.string(),
  fileName: z.string(),
});
export type LicenceDetail = z.output<typeof LicenceDetail>;

/** The license that is about to be signed. */
export const LicencePreview = z.strictObject({
  organization: z.string(),
  service: z.string(),
  machine: z.string(),
  platform: z.string(),
  ...bound,
  ...licenceTerms,
  /** Values that many machines share, like "To be filled by O.E.M.", and that are therefore ignored. */
  ignored: z.array(z.strictObject({ kind: z.string(), value: z.string() })),
  issuedAt: instant,
  expiresAt: instant,
  /** Whether the subscription ends before the selected days are over. */
  isCut: z.boolean(),
  keyId: z.string(),
  /** How many licenses of this subscription are currently valid. */
  others: z.int(),
});
export type LicencePreview = z.output<typeof LicencePreview>;
export const IssuedLicence = z.strictObject({
  licence: LicenceDetail,
  /** The contents of the license file. */ file: z.string(),
});
export type IssuedLicence = z.output<typeof IssuedLicence>;

export const PublicKey = z.strictObject({
  keyId: z.string(),
  algorithm: z.literal('ed25519'),
  publicKey: z.string(),
});
export const ListedKey = z.extend(PublicKey, {
  /** Null: since the console was set up. */ madeAt: z.nullable(instant),
  /** When the key was retired; its signatures remain valid. */
  retiredAt: z.nullable(instant),
});
export type ListedKey = z.output<typeof ListedKey>;

/** A subscription for which a license can be issued. */
export const Licensable = z.strictObject({
  subscriptionId: id('sub'),
  organization: z.string(),
  service: z.string(),
  state: z.enum(subscriptionStates),
  endsAt: z.nullable(instant),
});
export type Licensable = z.output<typeof Licensable>;

export const maxValidDays = 1830;
export const usualValidDays = 365;
const admin = { roles: ['Admin'] } as const;
const oneLicence = { licenceId: id('lic') };
const validDays = z.optional(z.int().check(z.minimum(1), z.maximum(maxValidDays)));
/** The machine-details file: its text, or its parsed object. */
const machine = z.union([z.string(), z.record(z.string(), z.json())]);
const order = z.strictObject({ subscriptionId: id('sub'), machine, validDays });

export const licensing = contract({
  publicKey: route({
    method: 'GET',
    path: '/licenses/public-key',
    access: 'public',
    summary: 'Get the public key',
    description: 'The key with which this console’s license files are verified.',
    input: noInput,
    output: PublicKey,
  }),
  publicKeys: route({
    method: 'GET',
    path: '/licenses/public-keys',
    access: 'public',
    summary: 'List public keys',
    description:
      'All keys that ever signed, the current one first. Licenses signed with a replaced key can still be verified.',
    input: noInput,
    output: z.strictObject({ keys: z.array(ListedKey) }),
  }),
  revocations: route({
    method: 'GET',
    path: '/licenses/revocations',
    access: 'public',
    perMinute: 30,
    summary: 'Get revoked licenses',
    description: 'The signed list, for verifiers without a connection.',
    input: noInput,
    output: file,
  }),
  verifierKit: route({
    method: 'GET',
    path: '/licenses/verifier',
    access: 'public',
    perMinute: 30,
    summary: 'Download the verifier kit',
    description:
      'The stand-alone verifier, the collector of machine details, and the public keys, as a zip archive.',
    input: noInput,
    output: file,
  }),
  listLicences: route({
    method: 'GET',
    path: '/licenses',
    access: admin,
    summary: 'List licenses',
    description: 'Newest first.',
    input: z.strictObject({
      ...pageQuery,
      state: z.optional(z.enum(licenceStates)),
      subscriptionId: z.optional(id('sub')),
    }),
    output: pageOf(Licence),
  }),
  listLicensable: route({
    method: 'GET',
    path: '/licenses/subscriptions',
    access: admin,
    summary: 'Find subscriptions to license',
    description:
      'Subscriptions that licenses can be issued for, searchable by organization and service. The first 20.',
    input: z.strictObject({ q: z.optional(optionalText(200)) }),
    output: z.strictObject({ items: z.array(Licensable) }),
  }),
  previewLicence: route({
    method: 'POST',
    path: '/licenses/preview',
    access: admin,
    summary: 'Preview a license',
    description:
      'Reads a machine details file and returns what would be signed. Nothing is signed or stored.',
    input: order,
    output: LicencePreview,
  }),
  issueLicence: route({
    method: 'POST',
    path: '/licenses',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Issue a license',
    description:
      'Signs a subscription’s license for one machine and returns the file. It expires after the chosen number of days (365 by default), but never after its subscription.',
    input: order,
    output: IssuedLicence,
  }),
  getLicence: route({
    method: 'GET',
    path: '/licenses/:licenceId',
    access: admin,
    summary: 'Get a license',
    input: z.strictObject(oneLicence),
    output: LicenceDetail,
  }),
  licenceFile: route({
    method: 'GET',
    path: '/licenses/:licenceId/file',
    access: admin,
    summary: 'Download a license file',
    description: 'As it was signed.',
    input: z.strictObject(oneLicence),
    output: file,
  }),
  renewLicence: route({
    method: 'POST',
    path: '/licenses/:licenceId/renew',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Renew a license',
    description:
      'Signs a new license for the same machine with the subscription’s current terms. The previous one can still be verified until it expires.',
    input: z.strictObject({ ...oneLicence, validDays }),
    output: IssuedLicence,
  }),
  revokeLicence: route({
    method: 'POST',
    path: '/licenses/:licenceId/revoke',
    access: admin,
    fresh: true,
    summary: 'Revoke a license',
    description: 'Adds it to the list of revocations, permanently.',
    input: z.strictObject({ ...oneLicence, reason: text(300) }),
    output: LicenceDetail,
  }),
  rotateLicenceKey: route({
    method: 'POST',
    path: '/licenses/keys/rotate',
    access: admin,
    fresh: true,
    summary: 'Rotate the signing key',
    description:
      'Creates a new key that signs from now on. The previous one stays published; its private key is deleted.',
    input: z.strictObject({ reason: text(300) }),
    output: ListedKey,
  }),
});

export const licensingErrors = {
  'licensing.machine_too_big': 400,
  'licensing.machine_syntax': 400,
  'licensing.machine_twice': 400,
  'licensing.machine_deep': 400,
  'licensing.machine_no_object': 400,
  'licensing.machine_field': 400,
  'licensing.machine_too_few': 400,
  'licensing.machine_no_hardware': 400,
  'licensing.subscription_not_found': 404,
  'licensing.subscription_not_good': 409,
  'licensing.not_found': 404,
  'licensing.revoked': 409,
  'licensing.superseded': 409,
} as const satisfies ErrorTable;
