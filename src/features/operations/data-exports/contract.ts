// Nightly exports: all data for a data team, as files in a folder or a bucket every night.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery } from '#kernel/shape.ts';
import { Bucket, bucketSecret } from '#features/messaging/audit-exports/contract.ts';

/** `interrupted`: the export was running and has not reported progress for minutes. */
export const runStates = ['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted'] as const;
export type RunState = (typeof runStates)[number];
export const runCauses = ['schedule', 'person'] as const;
/**
 * Why files could not be written, for the person who can fix it; `failed` is an unexpected error, described
 * in the log.
 */
export const failureCodes = [
  'address',
  'unreachable',
  'certificate',
  'timeout',
  'credentials',
  'not_found',
  'refused',
  'busy',
  'no_space',
  'folder',
  'files',
  'interrupted',
  'failed',
] as const;
const Failure = z.strictObject({ code: z.enum(failureCodes), detail: z.string() });
export type Failure = z.output<typeof Failure>;

export const DataExport = z.strictObject({
  id: id('dxp'),
  state: z.enum(runStates),
  cause: z.enum(runCauses),
  /** The attempt of its night, from 1. */
  attempt: z.int(),
  askedAt: instant,
  askedBy: z.string(),
  begunAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  /** The destination, and the run's folder there. */
  place: z.nullable(z.string()),
  folder: z.nullable(z.string()),
  filesDone: z.int(),
  filesTotal: z.int(),
  rowsDone: z.int(),
  /** The size of all its files as stored; null until it is done. */
  sizeBytes: z.nullable(z.int()),
  /** The moment of the snapshot that its tables show. */
  snapshotAt: z.nullable(instant),
  readFrom: z.nullable(z.enum(['primary', 'replica'])),
  removedAt: z.nullable(instant),
  failure: z.nullable(Failure),
});
export type DataExport = z.output<typeof DataExport>;

const planFields = {
  isOn: z.boolean(),
  /** The hour of the day, in the platform's time zone. */
  hour: z.int().check(z.minimum(0), z.maximum(23)),
  /**
   * How many days the files of a night are kept; the newest are always kept, and so are files of usage
   * events.
   */
  keepDays: z.int().check(z.minimum(1), z.maximum(365)),
  /** The names of tables; null for all. */
  tables: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(500))),
  /** null: the folder data-exports in the console's file store (FILES_URL). */
  bucket: z.nullable(Bucket),
};
export const DataExportPlan = z.strictObject(planFields);
export type DataExportPlan = z.output<typeof DataExportPlan>;

export const DataExportOverview = z.strictObject({
  plan: DataExportPlan,
  timeZone: z.string(),
  /** The destination of the next export. */
  place: z.string(),
  /** null when the schedule is disabled. */
  nextAt: z.nullable(instant),
  /** Every table that can be exported. */
  tables: z.array(z.string()),
  running: z.nullable(DataExport),
  lastDone: z.nullable(DataExport),
  /** The newest failed export, unless a later one succeeded. */
  lastFailed: z.nullable(DataExport),
});
export type DataExportOverview = z.output<typeof DataExportOverview>;

const access = { roles: ['Admin'] } as const;
const oneRun = z.strictObject({ exportId: id('dxp') });

export const dataExports = contract({
  dataExportOverview: route({
    method: 'GET',
    path: '/admin/data-exports/overview',
    access,
    summary: 'Get the nightly export status',
    description: 'The last export, the next one, the schedule, and what can be exported.',
    input: noInput,
    output: DataExportOverview,
  }),
  listDataExports: route({
    method: 'GET',
    path: '/admin/data-exports',
    access,
    summary: 'List nightly exports',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(runStates)) }),
    output: pageOf(DataExport),
  }),
  makeDataExport: route({
    method: 'POST',
    path: '/admin/data-exports',
    access,
    status: 202,
    summary: 'Start a nightly export now',
    description: 'If one is already being created, that one is returned.',
    input: noInput,
    output: DataExport,
  }),
  stopDataExport: route({
    method: 'POST',
    path: '/admin/data-exports/:exportId/stop',
    access,
    summary: 'Stop a nightly export',
    description: 'It gets no manifest, and its files are removed.',
    input: oneRun,
    output: nothing,
  }),
  saveDataExportPlan: route({
    method: 'PUT',
    path: '/admin/data-exports/plan',
    access,
    fresh: true,
    summary: 'Update the nightly export schedule',
    description:
      'When and where everything is exported. A bucket’s secret key is never returned, and is required again for another bucket or key.',
    input: z.strictObject({ ...planFields, secretAccessKey: z.optional(bucketSecret) }),
    output: DataExportPlan,
  }),
  testDataExport: route({
    method: 'POST',
    path: '/admin/data-exports/test',
    access,
    atOnce: 2,
    summary: 'Test the export location',
    description: 'Writes a small file to the saved location, lists it, and removes it.',
    input: noInput,
    output: z.strictObject({ failure: z.nullable(Failure) }),
  }),
});

export const dataExportsErrors = {
  'dataexports.not_found': 404,
  'dataexports.not_running': 409,
  // Invalid fields: the answer names the field (400).
  'dataexports.table_unknown': 400,
  'dataexports.secret_needed': 400,
  'dataexports.address_malformed': 400,
  'dataexports.address_not_https': 400,
  'dataexports.address_credentials': 400,
  'dataexports.address_port': 400,
  'dataexports.address_host': 400,
  'dataexports.address_not_public': 400,
} as const satisfies ErrorTable;
