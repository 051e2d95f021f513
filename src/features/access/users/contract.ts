// Bulk management of users: batches by an Admin, and import and export of files.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, optionalText, pageOf, pageQuery, queryFlag } from '#kernel/shape.ts';
import { userFilter } from '#features/access/identity/contract.ts';

export const batchActions = ['activate', 'deactivate', 'delete', 'restore', 'resetPassword'] as const;
export type BatchAction = (typeof batchActions)[number];
export const batchStates = ['running', 'done', 'stopped'] as const;
export const batchRowStates = ['waiting', 'done', 'unchanged', 'refused'] as const;
/** The largest number of users that one call can name; a filter can select more. */
export const maxNamed = 500;

/** A change of many users, and its progress. */
export const UserBatch = z.strictObject({
  id: id('ubt'),
  action: z.enum(batchActions),
  state: z.enum(batchStates),
  total: z.int(),
  done: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Whether its changes can be undone now. */
  canUndo: z.boolean(),
  createdAt: instant,
  finishedAt: z.nullable(instant),
});
export type UserBatch = z.output<typeof UserBatch>;

/** The result for one user. */
export const UserBatchRow = z.strictObject({
  id: z.string(),
  userId: id('usr'),
  name: z.string(),
  account: z.string(),
  state: z.enum(batchRowStates),
  /** The error code and its message; null when the change was not rejected. */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
});
export type UserBatchRow = z.output<typeof UserBatchRow>;

/** A link with which a user chooses a new password. It is only in the answer and is not stored. */
const HandOver = z.strictObject({
  userId: id('usr'),
  name: z.string(),
  account: z.string(),
  link: z.string(),
  expiresAt: instant,
});

export const exportFormats = ['csv', 'xlsx'] as const;
export const importActions = ['create', 'update', 'unchanged', 'refused'] as const;
export const importStates = ['ready', 'running', 'done', 'stopped'] as const;
/** The largest import, in rows and bytes. */
export const maxImportedRows = 20_000;
export const maxImportedBytes = 8 * 1024 * 1024;
export const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file of users, the planned changes of its rows, and its progress. */
export const UserImport = z.strictObject({
  id: id('uim'),
  fileName: z.string(),
  state: z.enum(importStates),
  total: z.int(),
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** How many rows were written, and how many failed while writing. */
  written: z.int(),
  failed: z.int(),
  createdAt: instant,
  finishedAt: z.nullable(instant),
});
export type UserImport = z.output<typeof UserImport>;

export const UserImportRow = z.strictObject({
  id: z.string(),
  row: z.int(),
  name: z.string(),
  account: z.string(),
  action: z.enum(importActions),
  isWritten: z.boolean(),
  errors: z.array(z.strictObject({ column: z.string(), message: z.string() })),
});
export type UserImportRow = z.output<typeof UserImportRow>;

const admin = { roles: ['Admin'] } as const;
const filter = { q: z.optional(optionalText(200)), ...userFilter };
const oneBatch = z.strictObject({ batchId: id('ubt') });
const oneImport = z.strictObject({ importId: id('uim') });
const rowsQuery = { limit: pageQuery.limit, cursor: pageQuery.cursor };

export const users = contract({
  countUsers: route({
    method: 'GET',
    path: '/admin/users/count',
    access: admin,
    summary: 'Count users',
    description: 'The exact number of users that match a filter.',
    input: z.strictObject(filter),
    output: z.strictObject({ total: z.int() }),
  }),
  startBatch: route({
    method: 'POST',
    path: '/admin/users/batch',
    access: admin,
    status: 201,
    returnedOnce: ['links'],
    summary: 'Start a bulk change of users',
    description:
      'Changes the named users, or all that match a filter. Your own account is rejected. Up to 200 are done when the call returns; the rest continue in the background.',
    input: z.strictObject({
      action: z.enum(batchActions),
      ids: z.optional(z.array(id('usr')).check(z.minLength(1), z.maxLength(maxNamed))),
      filter: z.optional(z.strictObject(filter)),
      /**
       * The number of users that the filter matched in the browser; the call is rejected when it has changed.
       */
      expected: z.optional(z.int()),
    }),
    output: z.strictObject({ batch: UserBatch, links: z.array(HandOver) }),
  }),
  getBatch: route({
    method: 'GET',
    path: '/admin/users/batches/:batchId',
    access: admin,
    summary: 'Get a bulk change',
    description: 'Shows its progress.',
    input: oneBatch,
    output: UserBatch,
  }),
  listBatchRows: route({
    method: 'GET',
    path: '/admin/users/batches/:batchId/rows',
    access: admin,
    summary: 'List results of a bulk change',
    description: 'The outcome for each user.',
    input: z.strictObject({ batchId: id('ubt'), state: z.optional(z.enum(batchRowStates)), ...rowsQuery }),
    output: pageOf(UserBatchRow),
  }),
  stopBatch: route({
    method: 'POST',
    path: '/admin/users/batches/:batchId/stop',
    access: admin,
    summary: 'Stop a bulk change',
    description: 'Stops after the users in progress. Changes already made stay.',
    input: oneBatch,
    output: UserBatch,
  }),
  undoBatch: route({
    method: 'POST',
    path: '/admin/users/batches/:batchId/undo',
    access: admin,
    status: 201,
    summary: 'Undo a bulk change',
    description: 'Reverses it with a bulk change of its own.',
    input: oneBatch,
    output: UserBatch,
  }),
  retryBatch: route({
    method: 'POST',
    path: '/admin/users/batches/:batchId/retry',
    access: admin,
    status: 201,
    summary: 'Retry a bulk change',
    description: 'Retries the users that it rejected.',
    input: oneBatch,
    output: UserBatch,
  }),
  deleteUser: route({
    method: 'DELETE',
    path: '/admin/users/:userId',
    access: admin,
    summary: 'Delete a user',
    description: 'They can be restored for 30 days. Their name stays on records of what they did.',
    input: z.strictObject({ userId: id('usr') }),
    output: nothing,
  }),
  exportUsers: route({
    method: 'GET',
    path: '/admin/users/export',
    access: admin,
    atOnce: 2,
    summary: 'Export users',
    description: 'All users that match a filter, as CSV or Excel.',
    input: z.strictObject({
      ...filter,
      sort: pageQuery.sort,
      format: z.enum(exportFormats),
      language: z.optional(language),
    }),
    output: file,
  }),
  importTemplate: route({
    method: 'GET',
    path: '/admin/users/import-template',
    access: admin,
    summary: 'Get the user import template',
    description: 'An empty file with the columns that an import reads.',
    input: z.strictObject({ format: z.enum(exportFormats), language: z.optional(language) }),
    output: file,
  }),
  uploadUsers: route({
    method: 'POST',
    path: '/admin/users/imports',
    access: admin,
    status: 201,
    atOnce: 1,
    raw: { types: ['text/csv', spreadsheetType], maxBytes: maxImportedBytes },
    summary: 'Upload users',
    description:
      'Checks a file of users and returns what each row would do. Nothing is saved until the import starts.',
    input: z.strictObject({ fileName: z.optional(optionalText(200)) }),
    output: UserImport,
  }),
  getUserImport: route({
    method: 'GET',
    path: '/admin/users/imports/:importId',
    access: admin,
    summary: 'Get a user import',
    description: 'Shows its progress.',
    input: oneImport,
    output: UserImport,
  }),
  listImportRows: route({
    method: 'GET',
    path: '/admin/users/imports/:importId/rows',
    access: admin,
    summary: 'List rows of a user import',
    description: 'Rows with errors come first.',
    input: z.strictObject({ importId: id('uim'), ...rowsQuery }),
    output: pageOf(UserImportRow),
  }),
  startImport: route({
    method: 'POST',
    path: '/admin/users/imports/:importId/start',
    access: admin,
    summary: 'Start a user import',
    description:
      'Saves the rows in the background. With `sendLinks`, each new user is emailed a link to choose a password.',
    input: z.strictObject({
      importId: id('uim'),
      leaveOutBadRows: z.optional(z.boolean()),
      sendLinks: z.optional(z.boolean()),
    }),
    output: UserImport,
  }),
  cancelUserImport: route({
    method: 'POST',
    path: '/admin/users/imports/:importId/cancel',
    access: admin,
    summary: 'Cancel a user import',
    description: 'Stops after the rows in progress. Rows already saved stay.',
    input: oneImport,
    output: UserImport,
  }),
  importResult: route({
    method: 'GET',
    path: '/admin/users/imports/:importId/result',
    access: admin,
    summary: 'Export the results of a user import',
    description: 'Every row with its outcome and reason, as CSV or Excel.',
    input: z.strictObject({
      importId: id('uim'),
      format: z.enum(exportFormats),
      onlyBad: z.optional(queryFlag),
    }),
    output: file,
  }),
});

export const usersErrors = {
  'users.nobody_named': 422,
  'users.count_changed': 409,
  'users.batch_not_found': 404,
  'users.nothing_to_undo': 409,
  'users.nothing_to_retry': 409,
  'users.many_need_mail': 422,
  'users.batch_running': 409,
  'users.import_not_found': 404,
  'users.import_started': 409,
  'users.import_bad_rows': 409,
  'users.import_empty': 422,
  'users.import_too_long': 422,
  'users.import_unreadable': 422,
  'users.import_no_utf8': 422,
  'users.import_head': 422,
  'users.links_need_mail': 422,
} as const satisfies ErrorTable;
