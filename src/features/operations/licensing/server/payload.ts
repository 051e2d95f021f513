// Reads the content of a stored license file.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { BoundPart, LicenceDetail } from '../contract.ts';

/** The content of a license besides its machine and its dates. */
export type Licensed = {
  readonly issuer: string;
  readonly organization: Organization;
  readonly service: Service;
  readonly subscriptionId: Id<'sub'>;
  readonly quantity: string;
};

const fingerprint = z.strictObject({
  salt: z.string(),
  threshold: z.int(),
  parts: z.array(z.strictObject({ kind: BoundPart.shape.kind, hashes: z.array(z.string()) })),
});
export type Fingerprint = z.output<typeof fingerprint>;
const Envelope = z.object({
  payload: z.object({
    fingerprint,
    quantity: z.string(),
    features: z.array(z.string()),
    limits: LicenceDetail.shape.limits,
  }),
});

/** Returns the payload of a stored license file. It was signed here, so only its schema is checked. */
export function payloadOf(licenceFile: string): z.output<typeof Envelope>['payload'] {
  return z.parse(Envelope, JSON.parse(Buffer.from(licenceFile, 'base64').toString('utf8'))).payload;
}
