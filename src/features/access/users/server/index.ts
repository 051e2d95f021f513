// Users' public API: its calls, and the jobs that change many users.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { users, usersErrors } from '../contract.ts';
import {
  deleteUser,
  getBatch,
  listBatchRows,
  retryBatch,
  startBatch,
  stopBatch,
  undoBatch,
  userBatchJob,
} from './batch.ts';
import { eraseUsersJob } from './erase.ts';
import { countOfFilter, exportUsers, importTemplate } from './export.ts';
import {
  cancelUserImport,
  getUserImport,
  importResult,
  listImportRows,
  startImport,
  uploadUsers,
  userImportJob,
} from './import.ts';

export const usersFeature = feature({
  name: 'users',
  contract: users,
  errors: usersErrors,
  verbs: {
    countUsers: countOfFilter,
    startBatch,
    getBatch,
    listBatchRows,
    stopBatch,
    undoBatch,
    retryBatch,
    deleteUser,
    exportUsers,
    importTemplate,
    uploadUsers,
    getUserImport,
    listImportRows,
    startImport,
    cancelUserImport,
    importResult,
  },
  jobs: [userBatchJob, userImportJob, eraseUsersJob],
});

export { eraseNow, usersErased } from './erase.ts';
