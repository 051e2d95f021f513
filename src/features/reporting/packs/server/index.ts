// Packs' public API: their calls, the job that creates them, and the one that cleans up.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { packs, packsErrors } from '../contract.ts';
import { makePackJob, tidyPacksJob } from './make-pack.ts';
import {
  downloadOwnPack,
  downloadPack,
  listOwnPacks,
  listPacks,
  makeOwnPack,
  makePack,
  stopOwnPack,
  stopPack,
} from './packs.ts';

export const packsFeature = feature({
  name: 'packs',
  contract: packs,
  errors: packsErrors,
  verbs: {
    makePack,
    listPacks,
    stopPack,
    downloadPack,
    makeOwnPack,
    listOwnPacks,
    stopOwnPack,
    downloadOwnPack,
  },
  jobs: [makePackJob, tidyPacksJob],
  // Interrupted packs are marked as failed in a separate transaction; their files are removed after its
  // commit.
  ownUnitOfWork: ['makePack', 'makeOwnPack'],
});

export { retentionDays, tidyPacks } from './make-pack.ts';
