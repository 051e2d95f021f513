// Organizations' personal data: exports of everything that belongs to one, created on request and kept for
// some days; and erasures.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, text } from '#kernel/shape.ts';

/** `interrupted`: it was running and has not reported progress for minutes. `removed`: it expired, or its organization's data was erased. */
export const exportStates = [
  'waiting',
  'running',
  'done',
  'stopped',
  'failed',
  'interrupted',
  'removed',
] as const;

export const PersonalExport = z.strictObject({
  id: id('pex'),
  organizationId: id('org'),
  organization: z.string(),
  state: z.enum(exportStates),
  askedAt: instant,
  askedBy: z.string(),
  finishedAt: z.nullable(instant),
  /**
   * How many files it has (tables, documents and pictures), how many of them are written, and the rows so
   * far.
   */
  filesTotal: z.int(),
  filesDone: z.int(),
  rowsDone: z.int(),
  /** Only for a finished export: its download size in bytes, and until when it is kept. */
  sizeBytes: z.nullable(z.int()),
  keptUntil: z.nullable(instant),
  problem: z.nullable(z.string()),
});
export type PersonalExport = z.output<typeof PersonalExport>;

/** The reasons that prevent an erasure. `count`: how many there are; `amounts`: the amounts, by currency. */
export const obstacleKinds = [
  'not_closed',
  'not_deleted',
  'open_bills',
  'balance',
  'pending_payments',
  'disputes',
  'subscriptions',
  'unbilled',
] as const;
const Obstacle = z.strictObject({ kind: z.enum(obstacleKinds), count: z.int() });
const Counted = z.strictObject({ table: z.string(), deleted: z.int(), changed: z.int() });
export type Counted = z.output<typeof Counted>;
/** A field in which a name or an address remains, and the number of rows. */
export const Remaining = z.strictObject({ field: z.string(), rows: z.int() });
export type Remaining = z.output<typeof Remaining>;
const subjectId = z.union([id('org'), id('usr')]);

export const ErasurePreview = z.strictObject({
  subjectId,
  kind: z.enum(['organization', 'person']),
  /** Must be typed as a confirmation, so that nobody erases the wrong subject. */
  name: z.string(),
  people: z.int(),
  obstacles: z.array(Obstacle),
  /** What would be erased, table by table; tables without any rows are omitted. */
  counts: z.array(Counted),
  /** What would remain, because the law requires it. */
  remains: z.array(Remaining),
  backupsUntil: instant,
  booksUntil: z.nullable(z.string()),
});
export type ErasurePreview = z.output<typeof ErasurePreview>;

export const erasureStates = ['waiting', 'running', 'done'] as const;
export const Erasure = z.strictObject({
  id: id('ers'),
  kind: z.enum(['organization', 'person']),
  subjectId: z.string(),
  /** The pseudonym that replaces the name. */
  subject: z.string(),
  state: z.enum(erasureStates),
  reason: z.string(),
  askedAt: instant,
  askedBy: z.string(),
  finishedAt: z.nullable(instant),
  deleted: z.int(),
  changed: z.int(),
  remains: z.array(Remaining),
  backupsUntil: z.nullable(instant),
  booksUntil: z.nullable(z.string()),
  /** When a later run searched for everything again; null until then. */
  checkedAt: z.nullable(instant),
});
export type Erasure = z.output<typeof Erasure>;

const years = z.int().check(z.minimum(1), z.maximum(30));
/** For how many years after the end of their year vouchers and books are kept. */
export const BookYears = z.strictObject({ vouchers: years, books: years });

const admin = { roles: ['Admin'] } as const;
const member = { roles: ['User'] } as const;
const oneExport = z.strictObject({ exportId: id('pex') });
const listed = z.strictObject({ items: z.array(PersonalExport) });
const none = z.strictObject({});

export const personalData = contract({
  makeExport: route({
    method: 'POST',
    path: '/admin/personal-data/exports',
    access: admin,
    status: 202,
    summary: 'Create a data export',
    description:
      'Exports all data of an organization. If one is already being created, that one is returned.',
    input: z.strictObject({ organizationId: id('org') }),
    output: PersonalExport,
  }),
  listExports: route({
    method: 'GET',
    path: '/admin/personal-data/exports',
    access: admin,
    isBatchable: true,
    summary: 'List data exports',
    description: 'Exports of organizations’ data, newest first.',
    input: none,
    output: listed,
  }),
  stopExport: route({
    method: 'POST',
    path: '/admin/personal-data/exports/:exportId/stop',
    access: admin,
    summary: 'Stop a data export',
    description: 'Nothing of it is kept.',
    input: oneExport,
    output: nothing,
  }),
  downloadExport: route({
    method: 'GET',
    path: '/admin/personal-data/exports/:exportId/file',
    access: admin,
    fresh: true,
    atOnce: 2,
    summary: 'Download a data export',
    description: 'A zip archive.',
    input: oneExport,
    output: file,
  }),

  previewErasure: route({
    method: 'GET',
    path: '/admin/personal-data/erasures/preview',
    access: admin,
    summary: 'Preview an erasure',
    description:
      'What erasing an organization or a person would delete, change, and keep, and what prevents it. Changes nothing.',
    input: z.strictObject({ subjectId }),
    output: ErasurePreview,
  }),
  startErasure: route({
    method: 'POST',
    path: '/admin/personal-data/erasures',
    access: admin,
    fresh: true,
    status: 202,
    summary: 'Start an erasure',
    description: 'Erases the people of a closed organization, or a deleted person. It can’t be undone.',
    input: z.strictObject({ subjectId, name: text(200), reason: text(500) }),
    output: Erasure,
  }),
  listErasures: route({
    method: 'GET',
    path: '/admin/personal-data/erasures',
    access: admin,
    isBatchable: true,
    summary: 'List erasures',
    description: 'Newest first.',
    input: none,
    output: z.strictObject({ items: z.array(Erasure) }),
  }),
  erasureCertificate: route({
    method: 'GET',
    path: '/admin/personal-data/erasures/:erasureId/certificate',
    access: admin,
    summary: 'Download an erasure certificate',
    description: 'A zip archive with the certificate, its signature, and the public keys.',
    input: z.strictObject({ erasureId: id('ers') }),
    output: file,
  }),
  bookYears: route({
    method: 'GET',
    path: '/admin/personal-data/book-years',
    access: admin,
    isBatchable: true,
    summary: 'Get the retention of books',
    description: 'For how many years vouchers and books are kept.',
    input: none,
    output: BookYears,
  }),
  saveBookYears: route({
    method: 'PUT',
    path: '/admin/personal-data/book-years',
    access: admin,
    summary: 'Set the retention of books',
    description: 'For how many years vouchers and books are kept.',
    input: BookYears,
    output: BookYears,
  }),

  makeOwnExport: route({
    method: 'POST',
    path: '/organization/exports',
    access: member,
    status: 202,
    perMinute: 6,
    summary: 'Create your data export',
    description:
      'Exports all your organization’s data. If one is already being created, that one is returned.',
    input: none,
    output: PersonalExport,
  }),
  listOwnExports: route({
    method: 'GET',
    path: '/organization/exports',
    access: member,
    isBatchable: true,
    summary: 'List your data exports',
    description: 'Newest first.',
    input: none,
    output: listed,
  }),
  stopOwnExport: route({
    method: 'POST',
    path: '/organization/exports/:exportId/stop',
    access: member,
    summary: 'Stop your data export',
    description: 'Nothing of it is kept.',
    input: oneExport,
    output: nothing,
  }),
  downloadOwnExport: route({
    method: 'GET',
    path: '/organization/exports/:exportId/file',
    access: member,
    fresh: true,
    atOnce: 2,
    summary: 'Download your data export',
    description: 'A zip archive.',
    input: oneExport,
    output: file,
  }),
});

export const personalDataErrors = {
  'personaldata.organization_not_found': 404,
  'personaldata.not_found': 404,
  'personaldata.not_running': 409,
  'personaldata.not_there': 409,
  'personaldata.subject_not_found': 404,
  'personaldata.other_name': 422,
  'personaldata.reason_names': 422,
  'personaldata.in_the_way': 409,
  'personaldata.erased_already': 409,
  'personaldata.erasure_not_found': 404,
  'personaldata.not_finished': 409,
} as const satisfies ErrorTable;
