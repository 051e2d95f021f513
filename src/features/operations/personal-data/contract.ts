// The personal data of organizations: exports of all that belongs to one, made once and kept for some days.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant } from '#kernel/shape.ts';

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
  /** How many files it has (tables, documents and pictures), how many of them are written, and their rows so far. */
  filesTotal: z.int(),
  filesDone: z.int(),
  rowsDone: z.int(),
  /** Only of a finished one: its size in bytes as it is downloaded, and until when it is kept. */
  sizeBytes: z.nullable(z.int()),
  keptUntil: z.nullable(instant),
  problem: z.nullable(z.string()),
});
export type PersonalExport = z.output<typeof PersonalExport>;

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
    summary: 'Starts exporting all data of an organization; while one is being made, answers that one.',
    input: z.strictObject({ organizationId: id('org') }),
    output: PersonalExport,
  }),
  listExports: route({
    method: 'GET',
    path: '/admin/personal-data/exports',
    access: admin,
    isBatchable: true,
    summary: 'Exports of organizations’ data, the newest first.',
    input: none,
    output: listed,
  }),
  stopExport: route({
    method: 'POST',
    path: '/admin/personal-data/exports/:exportId/stop',
    access: admin,
    summary: 'Stops an export; nothing of it stays.',
    input: oneExport,
    output: nothing,
  }),
  downloadExport: route({
    method: 'GET',
    path: '/admin/personal-data/exports/:exportId/file',
    access: admin,
    fresh: true,
    atOnce: 2,
    summary: 'A finished export as a zip archive.',
    input: oneExport,
    output: file,
  }),

  makeOwnExport: route({
    method: 'POST',
    path: '/organization/exports',
    access: member,
    status: 202,
    perMinute: 6,
    summary: 'Starts exporting all data of your organization; while one is being made, answers that one.',
    input: none,
    output: PersonalExport,
  }),
  listOwnExports: route({
    method: 'GET',
    path: '/organization/exports',
    access: member,
    isBatchable: true,
    summary: 'Exports of your organization’s data, the newest first.',
    input: none,
    output: listed,
  }),
  stopOwnExport: route({
    method: 'POST',
    path: '/organization/exports/:exportId/stop',
    access: member,
    summary: 'Stops one of your exports; nothing of it is kept.',
    input: oneExport,
    output: nothing,
  }),
  downloadOwnExport: route({
    method: 'GET',
    path: '/organization/exports/:exportId/file',
    access: member,
    fresh: true,
    atOnce: 2,
    summary: 'One of your finished exports as a zip archive.',
    input: oneExport,
    output: file,
  }),
});

export const personalDataErrors = {
  'personaldata.organization_not_found': 404,
  'personaldata.not_found': 404,
  'personaldata.not_running': 409,
  'personaldata.not_there': 409,
} as const satisfies ErrorTable;
