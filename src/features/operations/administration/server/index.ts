// Administration's public API.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { administration, administrationErrors } from '../contract.ts';
import { importFocusJob } from './import-focus.ts';
import { cancelImport, getImport, importDemo, importFocus, listImports, reconcile } from './imports.ts';
import { environment, testService } from './services.ts';
import { getSettings, updateSettings } from './settings.ts';
import { settingsHistory } from './store-history.ts';
import { systemManifest } from './manifest.ts';
import { seenAs } from './seen-as.ts';
import { checkSetupToken, initialize, systemStatus } from './setup.ts';

export const administrationFeature = feature({
  name: 'administration',
  contract: administration,
  errors: administrationErrors,
  verbs: {
    systemStatus,
    seenAs,
    systemManifest,
    initialize,
    checkSetupToken,
    getSettings,
    updateSettings,
    settingsHistory,
    environment,
    testService,
    importFocus,
    importDemo,
    listImports,
    getImport,
    cancelImport,
    reconcile,
  },
  jobs: [importFocusJob],
  // `initialize` hashes a password before its transaction; `testService` calls external services.
  ownUnitOfWork: ['initialize', 'testService'],
});

export { demoReferences } from './imports.ts';
export { brandOfPage } from './seen-as.ts';
export { setupToken } from './setup.ts';
export { getSettings, permissionsToChange } from './settings.ts';
