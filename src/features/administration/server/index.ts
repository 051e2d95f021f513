// Administration's door.
import { feature } from '#platform/server/feature.ts';
import { administration, administrationErrors } from '../contract.ts';
import { importFocusJob } from './import-focus.ts';
import { cancelImport, getImport, importDemo, importFocus, listImports, reconcile } from './imports.ts';
import { getSettings, updateSettings } from './settings.ts';
import { checkSetupToken, initialize, systemStatus } from './setup.ts';

export const administrationFeature = feature({
  name: 'administration',
  contract: administration,
  errors: administrationErrors,
  verbs: { systemStatus, initialize, checkSetupToken, getSettings, updateSettings, importFocus, importDemo, listImports, getImport, cancelImport, reconcile },
  jobs: [importFocusJob],
  // It hashes a password before its transaction.
  ownWork: ['initialize'],
});

export { setupToken } from './setup.ts';
