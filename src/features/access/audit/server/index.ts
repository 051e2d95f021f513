// The audit log's public API: its calls, and the names of actions.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { audit, auditErrors } from '../contract.ts';
import { actionName, auditActions, exportAudit, getAudit, listAudit, verifyAudit } from './read.ts';

export const auditFeature = feature({
  name: 'audit',
  contract: audit,
  errors: auditErrors,
  verbs: { listAudit, auditActions, exportAudit, verifyAudit, getAudit },
});

export { actionName };
