// Issues licenses: reads the machine's details and the subscription's current data, and signs both as one
// file.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { companyPrefix, organizationById, systemName } from '#features/access/identity/server/index.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import {
  licensingErrors,
  usualValidDays,
  type IssuedLicence,
  type LicencePreview,
  type licensing,
} from '../contract.ts';
import { expiryOf, isWeak, readMachine, thresholdOf, type Machine } from '../rules.ts';
import { payloadOf, type Fingerprint, type Licensed } from './payload.ts';
import { presentKey, signingKey } from './keys.ts';
import { requireLicence, toDetail } from './read.ts';
import { fingerprintOf, signedFile } from './signing.ts';
import { countValid, insertLicence, licenceById } from './store.ts';
import { limitUnit } from '#features/selling/catalogue/rules.ts';

/** Parses the machine file; throws with the line number of an error. */
function parsedMachine(machine: In<typeof licensing.issueLicence>['machine']): Machine {
  const read = readMachine(typeof machine === 'string' ? machine : JSON.stringify(machine));
  if ('mistake' in read) throw new ValidationError([{ field: 'machine', ...read.mistake }]);
  return read.machine;
}

/** States in which a subscription is served, even with unpaid bills. */
const served = new Set(['active', 'cancelling', 'past_due']);

/** The content of a license for the subscription as it is now. */
async function licensedNow(
  ctx: Ctx,
  subscriptionId: string,
): Promise<Licensed & { readonly serviceId: Id<'svc'>; readonly endsAt: Date | null }> {
  const row = await subscriptionById(ctx.db, subscriptionId, null);
  if (!row) throw domainError(licensingErrors, 'licensing.subscription_not_found');
  if (!served.has(row.state) || (row.endsAt !== null && row.endsAt <= ctx.now))
    throw domainError(licensingErrors, 'licensing.subscription_not_good');
  const service = (await servicesMap(ctx, [row.serviceId]))(row.serviceId);
  const organization = required(
    await organizationById(ctx.db, row.organizationId),
    'the subscription’s organization',
  );
  const issuer = [await ctx.setting(companyPrefix), await ctx.setting(systemName)]
    .filter((part) => part !== '')
    .join(' ');
  return {
    issuer,
    organization,
    service,
    subscriptionId: row.id,
    quantity: row.quantity,
    serviceId: row.serviceId,
    endsAt: row.endsAt,
  };
}

export async function previewLicence(
  ctx: Ctx,
  { subscriptionId, machine, validDays = usualValidDays }: In<typeof licensing.previewLicence>,
): Promise<LicencePreview> {
  const read = parsedMachine(machine);
  const licensed = await licensedNow(ctx, subscriptionId);
  const { at, isCut } = expiryOf(ctx.now, validDays, licensed.endsAt);
  const { quota, features } = licensed.service;
  return {
    organization: licensed.organization.name,
    service: licensed.service.name,
    machine: read.hostname,
    platform: read.platform,
    parts: read.parts.map(({ kind, values }) => ({ kind, count: values.length })),
    threshold: thresholdOf(read.parts.length),
    isWeak: isWeak(read.parts),
    ignored: [...read.ignored],
    quantity: licensed.quantity,
    features,
    limits: {
      quota: quota.type,
      amount: quota.type === 'unlimited' ? null : quota.limit,
      unit: quota.type === 'unlimited' ? null : limitUnit(licensed.service),
    },
    issuedAt: ctx.now,
    expiresAt: at,
    isCut,
    keyId: (await presentKey(ctx)).keyId,
    others: await countValid(ctx, subscriptionId),
  };
}

export async function issueLicence(
  ctx: Ctx,
  { subscriptionId, machine, validDays }: In<typeof licensing.issueLicence>,
): Promise<IssuedLicence> {
  const { parts, hostname } = parsedMachine(machine);
  return signLicence(ctx, {
    subscriptionId,
    machine: hostname,
    fingerprint: fingerprintOf(parts),
    validDays,
    renews: null,
  });
}

/**
 * Signs a new license for the same machine: copies the hashes of its parts, because the machine's details are
 * not stored.
 */
export async function renewLicence(
  ctx: Ctx,
  { licenceId, validDays }: In<typeof licensing.renewLicence>,
): Promise<IssuedLicence> {
  const former = await licenceById(ctx, licenceId, true);
  if (!former) throw domainError(licensingErrors, 'licensing.not_found');
  if (former.revokedAt) throw domainError(licensingErrors, 'licensing.revoked');
  if (former.supersededBy) throw domainError(licensingErrors, 'licensing.superseded');
  return signLicence(ctx, {
    subscriptionId: former.subscriptionId,
    machine: former.machine,
    fingerprint: payloadOf(former.file).fingerprint,
    validDays,
    renews: former.id,
  });
}

type Order = {
  readonly subscriptionId: Id<'sub'>;
  readonly machine: string;
  readonly fingerprint: Fingerprint;
  readonly validDays: number | undefined;
  readonly renews: Id<'lic'> | null;
};

async function signLicence(
  ctx: Ctx,
  { subscriptionId, machine, fingerprint, validDays = usualValidDays, renews }: Order,
): Promise<IssuedLicence> {
  const { serviceId, endsAt, ...licensed } = await licensedNow(ctx, subscriptionId);
  const { at: expiresAt } = expiryOf(ctx.now, validDays, endsAt);
  const key = await signingKey(ctx);
  const id = ctx.newId('lic');
  const { issuer, organization, service, quantity } = licensed;
  const { quota } = service;
  const file = signedFile('skytally-licence', key, {
    format: 'skytally-licence',
    version: 1,
    licenceId: id,
    renews,
    issuer,
    subscriptionId,
    quantity,
    issuedAt: ctx.now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    features: service.features,
    organization: { id: organization.id, name: organization.name, taxId: organization.taxId },
    service: { id: service.id, name: service.name },
    fingerprint,
    limits: {
      quota: quota.type,
      amount: quota.type === 'unlimited' ? null : quota.limit,
      unit: quota.type === 'unlimited' ? null : limitUnit(service),
    },
  });
  const digest = sha256(file);
  await insertLicence(ctx, {
    id,
    subscriptionId,
    organizationId: organization.id,
    serviceId,
    keyId: key.keyId,
    machine,
    issuedBy: person(ctx).userId,
    expiresAt,
    renews,
    file,
    sha256: digest,
  });
  ctx.audit(renews === null ? 'licensing.issueLicence' : 'licensing.renewLicence', id, {
    subscriptionId,
    organizationId: organization.id,
    machine,
    expiresAt: expiresAt.toISOString(),
    sha256: digest.toString('hex'),
    ...(renews && { renews }),
  });
  return { licence: toDetail(ctx, await requireLicence(ctx, id)), file };
}
