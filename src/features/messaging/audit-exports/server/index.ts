// The public API of audit exports on the server: API calls, the job, and metrics.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { auditExports, auditExportsErrors } from '../contract.ts';
import {
  createAuditExport,
  deleteAuditExport,
  getAuditExport,
  listAuditExports,
  testAuditExport,
  updateAuditExport,
} from './destinations.ts';
import { auditExportsJobs } from './jobs.ts';

export const auditExportsFeature = feature({
  name: 'auditexports',
  contract: auditExports,
  errors: auditExportsErrors,
  verbs: {
    listAuditExports,
    getAuditExport,
    createAuditExport,
    updateAuditExport,
    deleteAuditExport,
    testAuditExport,
  },
  jobs: auditExportsJobs,
  // It calls another server between its transactions.
  ownUnitOfWork: ['testAuditExport'],
});

export { addAuditExportMetrics } from './metrics.ts';
