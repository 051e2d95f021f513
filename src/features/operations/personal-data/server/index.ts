// Personal data's public API: its calls, the job that creates exports, and the one that cleans up.
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
import { checkErasuresJob, eraseJob } from './erase.ts';
import {
  bookYears,
  erasureCertificate,
  listErasures,
  previewErasure,
  saveBookYears,
  startErasure,
} from './erasures.ts';
import { repeatErasuresJob } from './repeat-erasures.ts';
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
    previewErasure,
    startErasure,
    listErasures,
    erasureCertificate,
    bookYears,
    saveBookYears,
  },
  jobs: [makeExportJob, tidyExportsJob, eraseJob, checkErasuresJob, repeatErasuresJob],
  // Interrupted exports are marked as failed in a separate transaction; their files are removed after its
  // commit.
  ownUnitOfWork: ['makeExport', 'makeOwnExport'],
});

export { checkErasures } from './erase.ts';
export { columnTypes, textOf, type ColumnTypes } from './store-rows.ts';
export { tidyExports } from './make-export.ts';
export { repeatErasures } from './repeat-erasures.ts';
