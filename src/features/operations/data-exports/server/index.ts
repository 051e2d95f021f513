// The public API of nightly exports on the server: calls, jobs, metrics, and functions for the command line.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { dataExports, dataExportsErrors } from '../contract.ts';
import { grantsFor } from '../rules.ts';
import {
  dataExportOverview,
  listDataExports,
  makeDataExport,
  saveDataExportPlan,
  stopDataExport,
  testDataExport,
} from './exports.ts';
import { dueDataExportJob, makeDataExportJob } from './run.ts';
import { databaseName } from './store-rows.ts';

export const dataExportsFeature = feature({
  name: 'dataexports',
  contract: dataExports,
  errors: dataExportsErrors,
  verbs: {
    dataExportOverview,
    listDataExports,
    makeDataExport,
    stopDataExport,
    saveDataExportPlan,
    testDataExport,
  },
  jobs: [makeDataExportJob, dueDataExportJob],
  // It accesses a file store between its transactions.
  ownUnitOfWork: ['testDataExport'],
});

/** Returns the SQL statements that grant a role read access to what may leave the console. */
export const replicaGrants = async (ctx: Ctx, role: string): Promise<readonly string[]> =>
  grantsFor(role, await databaseName(ctx));

export { addDataExportMetrics } from './metrics.ts';
