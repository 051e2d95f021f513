// The public API of sandboxes on the server: calls, jobs, and the routing of a sandbox's calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { sandboxes, sandboxesErrors } from '../contract.ts';
import { sandboxesJobs } from './jobs.ts';
import {
  cancelMove,
  createSandbox,
  deleteSandbox,
  getSandbox,
  listSandboxes,
  listSandboxMails,
  moveClock,
  resetSandbox,
} from './sandboxes.ts';

export const sandboxesFeature = feature({
  name: 'sandboxes',
  contract: sandboxes,
  errors: sandboxesErrors,
  verbs: {
    listSandboxes,
    getSandbox,
    createSandbox,
    moveClock,
    cancelMove,
    listSandboxMails,
    resetSandbox,
    deleteSandbox,
  },
  jobs: sandboxesJobs,
  // Databases are created and dropped between transactions, never inside one.
  ownUnitOfWork: ['createSandbox', 'moveClock', 'resetSandbox', 'deleteSandbox'],
});

export { placeToServe } from './store.ts';
