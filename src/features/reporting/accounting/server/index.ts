// The public API of journals on the server: their API calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { accounting, accountingErrors } from '../contract.ts';
import { getJournal, listJournals, makeJournal, withdrawJournal } from './exports.ts';
import { downloadJournal } from './files.ts';
import {
  getAccountingSettings,
  listMappings,
  removeMapping,
  saveAccountingSettings,
  saveMapping,
} from './mappings.ts';
import { previewJournal } from './preview.ts';

export const accountingFeature = feature({
  name: 'accounting',
  contract: accounting,
  errors: accountingErrors,
  verbs: {
    listMappings,
    saveMapping,
    removeMapping,
    getAccountingSettings,
    saveAccountingSettings,
    previewJournal,
    makeJournal,
    listJournals,
    getJournal,
    withdrawJournal,
    downloadJournal,
  },
  // Both read the ledger as of one moment, which must be set before the first read.
  ownUnitOfWork: ['previewJournal', 'makeJournal'],
});
