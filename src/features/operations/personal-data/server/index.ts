// Personal data's public API: its calls, the job that makes exports and the one that tidies up after them.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { personalData, personalDataErrors } from '../contract.ts';
import {
  downloadExport,
  downloadOwnExport,
  listExports,
  listOwnExports,
  makeExport,
  makeOwnExport,
  stopExport,
  stopOwnExport,
} from './exports.ts';
import { makeExportJob, tidyExportsJob } from './make-export.ts';

export const personalDataFeature = feature({
  name: 'personaldata',
  contract: personalData,
  errors: personalDataErrors,
  verbs: {
    makeExport,
    listExports,
    stopExport,
    downloadExport,
    makeOwnExport,
    listOwnExports,
    stopOwnExport,
    downloadOwnExport,
  },
  jobs: [makeExportJob, tidyExportsJob],
  // Interrupted exports are marked as failed in a transaction of their own; their files are removed after its commit.
  ownUnitOfWork: ['makeExport', 'makeOwnExport'],
});

export { tidyExports } from './make-export.ts';
