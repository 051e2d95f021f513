// The devices feature's public API: its calls and its job.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { revokeKey } from '#features/access/identity/server/index.ts';
import { devices, devicesErrors } from '../contract.ts';
import { askDevice, describeKey, endKey, pollDevice } from './ask.ts';
import { confirmDevice, findDevice, refuseDevice } from './confirm.ts';
import { forgetOldDevices } from './store.ts';

const tidyName = 'devices-tidy';

export const devicesFeature = feature({
  name: 'devices',
  contract: devices,
  errors: devicesErrors,
  verbs: { askDevice, pollDevice, findDevice, confirmDevice, refuseDevice, describeKey, endKey },
  // They count attempts, which stay whatever becomes of the rest, or ask without leaving anything in the audit log.
  ownUnitOfWork: [
    'askDevice',
    'pollDevice',
    'findDevice',
    'confirmDevice',
    'refuseDevice',
    'describeKey',
    'endKey',
  ],
  jobs: [
    job({
      name: tidyName,
      schedule: '50 * * * *',
      // A key that was confirmed and never fetched is nobody's.
      run: (app) =>
        unitOfWork(app, { actor: { kind: 'system', name: tidyName } }, async (ctx) => {
          for (const keyId of await forgetOldDevices(ctx)) await revokeKey(ctx, 'anybody', keyId);
        }),
    }),
  ],
});
