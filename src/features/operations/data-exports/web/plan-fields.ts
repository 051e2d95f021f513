// The values of the settings form, as strings, and their conversion to the call's input.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { DataExportPlan, dataExports } from '../contract.ts';

const free = z.string().check(z.trim());
export const planFields = z
  .strictObject({
    isOn: z.boolean(),
    hour: z.string(),
    keepDays: z.string().check(
      z.trim(),
      z.regex(/^\d{1,3}$/),
      z.refine((text) => Number(text) >= 1 && Number(text) <= 365),
    ),
    tables: free,
    target: z.enum(['files', 'bucket']),
    bucket: z.strictObject({ bucket: free, prefix: free, region: free, endpoint: free, accessKeyId: free }),
    secretAccessKey: free,
  })
  .check(
    z.check((context) => {
      const { target, bucket } = context.value;
      if (target !== 'bucket') return;
      for (const name of ['bucket', 'region', 'accessKeyId'] as const)
        if (bucket[name] === '')
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: '',
            path: ['bucket', name],
          });
    }),
  );
export type PlanFields = z.output<typeof planFields>;

/** The form's initial values. */
export const fieldsOf = ({ isOn, hour, keepDays, tables, bucket }: DataExportPlan): PlanFields => ({
  isOn,
  hour: String(hour),
  keepDays: String(keepDays),
  tables: tables?.join(' ') ?? '',
  target: bucket ? 'bucket' : 'files',
  bucket: {
    bucket: bucket?.bucket ?? '',
    prefix: bucket?.prefix ?? 'skytally/',
    region: bucket?.region ?? 'us-east-1',
    endpoint: bucket?.endpoint ?? '',
    accessKeyId: bucket?.accessKeyId ?? '',
  },
  secretAccessKey: '',
});

/** The input to save the settings. A stored key stays unless another was entered. */
export function planOf(fields: PlanFields): In<typeof dataExports.saveDataExportPlan> {
  const { isOn, hour, keepDays, target, bucket, secretAccessKey } = fields;
  const tables = fields.tables.split(/[\s,，、]+/).filter((name) => name !== '');
  const isBucket = target === 'bucket';
  return {
    isOn,
    hour: Number(hour),
    keepDays: Number(keepDays),
    tables: tables.length === 0 ? null : tables,
    bucket: isBucket
      ? { kind: 'bucket', ...bucket, endpoint: bucket.endpoint === '' ? null : bucket.endpoint }
      : null,
    ...(isBucket && secretAccessKey !== '' && { secretAccessKey }),
  };
}
