// The plan of nightly exports as a setting, with the encrypted secret of its bucket, which is in no answer
// and no audit entry.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { DataExportPlan } from '../contract.ts';
import { initialPlan } from '../rules.ts';

const StoredPlan = z.strictObject({
  ...DataExportPlan.shape,
  /** When the schedule was enabled, in ISO 8601. */
  since: z.string(),
  /** The bucket's secret, encrypted, in base64; null without a bucket. */
  sealedSecret: z.nullable(z.string()),
});
export type StoredPlan = z.output<typeof StoredPlan>;
export const planSetting = setting<StoredPlan>('dataexports.plan', StoredPlan, {
  ...initialPlan,
  since: new Date(0).toISOString(),
  sealedSecret: null,
});

/** The part of a plan that may leave the server. */
export const shownPlan = ({ isOn, hour, keepDays, tables, bucket }: StoredPlan): DataExportPlan => ({
  isOn,
  hour,
  keepDays,
  tables,
  bucket,
});
