// The audit log for Admins: who did what to which subject, when, in which request; and whether the hash chain
// is intact.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { day, id, instant, language, pageOf, pageQuery, queryInteger, text } from '#kernel/shape.ts';

export const actorKinds = ['user', 'apiKey', 'portal', 'system', 'anonymous'] as const;
/**
 * The actor. `name` is the current name of a user, a key, or a part of the console. For a portal link it
 * names the person who created it, and the user that the host page reported. Empty when there is none.
 */
export const AuditActor = z.strictObject({
  kind: z.enum(actorKinds),
  id: z.nullable(z.string()),
  name: z.string(),
  account: z.string(),
});

export const AuditRow = z.strictObject({
  id: id('aud'),
  /** Position in the chain, from 1. */ seq: z.int(),
  at: instant,
  actor: AuditActor,
  action: z.string(),
  /** The action's name in the language of the call. */ actionName: z.string(),
  subject: z.nullable(z.string()),
  /**
   * The subject's current name or number, or what it is about, if its kind has one and it still exists. For a
   * request for approval: the requested action and its subject.
   */
  subjectName: z.nullable(z.string()),
  requestId: z.string(),
});
export type AuditRow = z.output<typeof AuditRow>;
export const AuditDetail = z.extend(AuditRow, {
  /** Details of the action; changes are in `before` and `after`. Never a secret. */
  detail: z.record(z.string(), z.json()),
  /** SHA-256 over the previous row's hash and this row, in hex. */
  hash: z.string(),
});
export type AuditDetail = z.output<typeof AuditDetail>;

export const faultReasons = ['changed', 'missing', 'cut_off'] as const;
export const AuditVerification = z.strictObject({
  total: z.int(),
  /** The last row that was verified. */ checkedTo: z.int(),
  isDone: z.boolean(),
  /**
   * The last hash of the chain, in hex. A copy kept elsewhere also reveals a replacement of the whole log.
   */
  head: z.string(),
  fault: z.nullable(
    z.strictObject({ seq: z.int(), id: z.nullable(id('aud')), reason: z.enum(faultReasons) }),
  ),
});
export type AuditVerification = z.output<typeof AuditVerification>;

const admin = { roles: ['Admin'] } as const;
/** `q` is the id of a subject, request or row; days are in the console's time zone, both inclusive. */
const filters = {
  q: pageQuery.q,
  actorId: z.optional(text(100)),
  action: z.optional(text(100)),
  from: z.optional(day),
  to: z.optional(day),
};

export const audit = contract({
  listAudit: route({
    method: 'GET',
    path: '/admin/audit-log',
    access: admin,
    summary: 'List audit log entries',
    description: 'Newest first. Matches of a filter are counted up to 10,000.',
    input: z.strictObject({
      ...filters,
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      language: z.optional(language),
    }),
    output: pageOf(AuditRow),
  }),
  auditActions: route({
    method: 'GET',
    path: '/admin/audit-log/actions',
    access: admin,
    summary: 'List audit log actions',
    description: 'Every action that occurs in the audit log.',
    input: z.strictObject({ language: z.optional(language) }),
    output: z.strictObject({ items: z.array(z.strictObject({ action: z.string(), name: z.string() })) }),
  }),
  exportAudit: route({
    method: 'GET',
    path: '/admin/audit-log/export',
    access: admin,
    atOnce: 2,
    summary: 'Export audit log entries',
    description: 'The entries of a filter as CSV or Excel, newest first. The export itself is logged.',
    input: z.strictObject({ ...filters, format: z.enum(['csv', 'xlsx']), language: z.optional(language) }),
    output: file,
  }),
  verifyAudit: route({
    method: 'GET',
    path: '/admin/audit-log/verify',
    access: admin,
    atOnce: 2,
    summary: 'Verify the audit log',
    description:
      'Checks a stretch of the hash chain after the given position and returns the first entry that doesn’t follow from the one before it. Call again from `checkedTo` until it’s done.',
    input: z.strictObject({ after: z.optional(queryInteger(0, 999_999_999)) }),
    output: AuditVerification,
  }),
  getAudit: route({
    method: 'GET',
    path: '/admin/audit-log/:rowId',
    access: admin,
    summary: 'Get an audit log entry',
    input: z.strictObject({ rowId: id('aud'), language: z.optional(language) }),
    output: AuditDetail,
  }),
});

export const auditErrors = {
  'audit.not_found': 404,
  'audit.range_reversed': 422,
} as const satisfies ErrorTable;
