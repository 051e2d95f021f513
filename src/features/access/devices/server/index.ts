// The public API of device authorization: its calls and its job.
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
  // These count attempts, which must stay even when the call fails, or poll without writing to the audit log.
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
      // Revokes keys that were confirmed but never fetched.
      run: (app) =>
        unitOfWork(app, { actor: { kind: 'system', name: tidyName } }, async (ctx) => {
          for (const keyId of await forgetOldDevices(ctx)) await revokeKey(ctx, 'anybody', keyId);
        }),
    }),
  ],
});
