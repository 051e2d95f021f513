// Audit exports: forwards the audit log to a company's log storage, with a proof that nothing was changed or
// left out.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery, text } from '#kernel/shape.ts';

export const targetKinds = ['syslog', 'bucket', 'webhook'] as const;
export type TargetKind = (typeof targetKinds)[number];
export const maxExports = 20;
/** The most entries of one object in a bucket; fewer when a day (UTC) is over. */
export const entriesPerObject = 10_000;

const pem = z
  .string()
  .check(z.maxLength(20_000), z.regex(/-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----/));
export const bucketSecret = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
const Syslog = z.strictObject({
  kind: z.literal('syslog'),
  host: z.string().check(z.regex(/^[A-Za-z0-9.:-]{1,253}$/)),
  port: z.int().check(z.gte(1), z.lte(65_535)),
  isTls: z.boolean(),
  /** An additional certificate authority to trust, in PEM; '' for none. */
  authority: z.union([z.literal(''), pem]),
});
export type Syslog = z.output<typeof Syslog>;
export const Bucket = z.strictObject({
  kind: z.literal('bucket'),
  bucket: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
  prefix: z.string().check(z.maxLength(500), z.regex(/^[^\\\p{Cc}]*$/u)),
  region: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
  /** null for Amazon S3. */
  endpoint: z.nullable(z.string().check(z.maxLength(500))),
  accessKeyId: bucketSecret,
});
export type Bucket = z.output<typeof Bucket>;
const Webhook = z.strictObject({ kind: z.literal('webhook'), url: text(2000) });
export const Target = z.discriminatedUnion('kind', [Syslog, Bucket, Webhook]);
export type Target = z.output<typeof Target>;

/** Whether the export starts with the first existing entry, or with the next one. */
export const starts = ['beginning', 'now'] as const;

/**
 * Why entries could not be delivered; `chain`: entries that were sent before are missing from the audit log
 * or changed.
 */
export const failures = [
  'address',
  'unreachable',
  'certificate',
  'timeout',
  'credentials',
  'not_found',
  'refused',
  'busy',
  'no_space',
  'chain',
] as const;
export type FailureCode = (typeof failures)[number];
const Failure = z.strictObject({ code: z.enum(failures), detail: z.string() });
export type Failure = z.output<typeof Failure>;

export const AuditExport = z.strictObject({
  id: id('aex'),
  name: z.string(),
  target: Target,
  /** The first and last characters of the secret that signs webhooks; '' for other kinds. */
  secretHint: z.string(),
  isPaused: z.boolean(),
  /** The position in the chain of the last acknowledged entry; 0 for none. */
  sentSeq: z.int(),
  /** The number of entries waiting to be sent. */
  waiting: z.int(),
  /** When the first of them was written; null when none waits. */
  waitingSince: z.nullable(instant),
  lastSentAt: z.nullable(instant),
  failingSince: z.nullable(instant),
  failure: z.nullable(Failure),
  nextTryAt: instant,
  version: z.int(),
  createdAt: instant,
});
export type AuditExport = z.output<typeof AuditExport>;

const admin = { roles: ['Admin'] } as const;
const one = { exportId: id('aex') };
const settings = {
  name: text(80),
  target: Target,
  /** For a bucket; required again for another bucket or key. */
  secretAccessKey: z.optional(bucketSecret),
};

export const auditExports = contract({
  listAuditExports: route({
    method: 'GET',
    path: '/admin/audit-exports',
    access: admin,
    isBatchable: true,
    summary: 'List audit log destinations',
    description: 'Where the audit log is sent, with what’s pending and what failed.',
    input: z.strictObject(pageQuery),
    output: pageOf(AuditExport),
  }),
  getAuditExport: route({
    method: 'GET',
    path: '/admin/audit-exports/:exportId',
    access: admin,
    isBatchable: true,
    summary: 'Get an audit log destination',
    description: 'Secrets are never returned.',
    input: z.strictObject(one),
    output: AuditExport,
  }),
  createAuditExport: route({
    method: 'POST',
    path: '/admin/audit-exports',
    access: admin,
    status: 201,
    fresh: true,
    returnedOnce: ['secret'],
    summary: 'Create an audit log destination',
    description:
      'Sends the audit log to a syslog server, a bucket, or a webhook. The webhook’s signing secret is returned only once.',
    input: z.strictObject({ ...settings, start: z.enum(starts) }),
    output: z.strictObject({ export: AuditExport, secret: z.nullable(z.string()) }),
  }),
  updateAuditExport: route({
    method: 'PATCH',
    path: '/admin/audit-exports/:exportId',
    access: admin,
    fresh: true,
    summary: 'Update an audit log destination',
    description: 'Changes or pauses it. Sending continues after the last acknowledged entry.',
    input: z.strictObject({
      ...one,
      version: z.int(),
      name: z.optional(settings.name),
      target: z.optional(settings.target),
      secretAccessKey: settings.secretAccessKey,
      isPaused: z.optional(z.boolean()),
    }),
    output: AuditExport,
  }),
  deleteAuditExport: route({
    method: 'DELETE',
    path: '/admin/audit-exports/:exportId',
    access: admin,
    fresh: true,
    summary: 'Delete an audit log destination',
    description: 'What was already sent stays there.',
    input: z.strictObject(one),
    output: nothing,
  }),
  testAuditExport: route({
    method: 'POST',
    path: '/admin/audit-exports/:exportId/test',
    access: admin,
    atOnce: 2,
    summary: 'Test an audit log destination',
    description:
      'Sends a test message that isn’t a log entry and returns whether it was accepted. Pending entries are retried immediately.',
    input: z.strictObject(one),
    output: z.strictObject({ failure: z.nullable(Failure) }),
  }),
});

export const auditExportsErrors = {
  'auditexports.not_found': 404,
  'auditexports.too_many': 409,
  'auditexports.changed_meanwhile': 409,
  // Invalid fields: the answer names the field (400).
  'auditexports.kind_fixed': 400,
  'auditexports.secret_needed': 400,
  'auditexports.address_malformed': 400,
  'auditexports.address_not_https': 400,
  'auditexports.address_credentials': 400,
  'auditexports.address_port': 400,
  'auditexports.address_host': 400,
  'auditexports.address_not_public': 400,
} as const satisfies ErrorTable;
