// Calls for tests of nightly exports, on the console of `corrections.ts`.
import { join } from 'node:path';
import { vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import {
  dataExports,
  type DataExport,
  type DataExportPlan,
} from '#features/operations/data-exports/contract.ts';
import { initialPlan } from '#features/operations/data-exports/rules.ts';
import { at } from './corrections.ts';

/** The folder in which the console keeps exports when no bucket is set. */
export const exportsRoot = (): string => join(at.console.app.config.dataDir, 'data-exports');

/** Saves the export plan; missing fields keep their defaults. */
export const saveExportPlan = (
  plan: Partial<DataExportPlan> & { secretAccessKey?: string },
): Promise<DataExportPlan> =>
  at.console.ok(dataExports.saveDataExportPlan, { ...initialPlan, ...plan }, { token: at.admin });

export const startExport = (): Promise<DataExport> =>
  at.console.ok(dataExports.makeDataExport, {}, { token: at.admin });

/** Waits until an export has ended, successfully or not. */
export const endedExport = ({ id }: DataExport): Promise<DataExport> =>
  vi.waitFor(
    async () => {
      const { items } = await at.console.ok(dataExports.listDataExports, {}, { token: at.admin });
      const found = required(
        items.find((each) => each.id === id),
        'the export',
      );
      if (found.state === 'waiting' || found.state === 'running') throw new Error('not yet');
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );
