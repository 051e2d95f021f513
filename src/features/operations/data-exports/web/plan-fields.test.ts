// The settings of nightly exports, converted to the form and back.
import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { initialPlan } from '../rules.ts';
import { fieldsOf, planFields, planOf } from './plan-fields.ts';

const bucket = {
  kind: 'bucket',
  bucket: 'team-data',
  prefix: 'skytally/',
  region: 'us-east-1',
  endpoint: null,
  accessKeyId: 'KEY',
} as const;

it.each([initialPlan, { ...initialPlan, isOn: true, tables: ['bill', 'payment'], bucket }])(
  'a plan is unchanged after a round trip, without a secret',
  (plan) => expect(planOf(fieldsOf(plan))).toEqual(plan),
);
it('names of tables may be separated as people type', () => {
  const fields = { ...fieldsOf(initialPlan), tables: 'bill, payment、 organization\nservice' };
  expect(planOf(fields).tables).toEqual(['bill', 'payment', 'organization', 'service']);
});
it('a new secret is sent with a bucket only', () => {
  const fields = { ...fieldsOf({ ...initialPlan, bucket }), secretAccessKey: 'new' };
  expect(planOf(fields).secretAccessKey).toBe('new');
  expect(planOf({ ...fields, target: 'files' })).not.toHaveProperty('secretAccessKey');
});
it('a bucket needs its name, region and key; days are between 1 and 365', () => {
  const wrong = { ...fieldsOf(initialPlan), target: 'bucket', keepDays: '366' };
  const { error } = z.safeParse(planFields, wrong);
  expect(error?.issues.map(({ path }) => path.join('.'))).toContain('keepDays');
  const missing = z.safeParse(planFields, { ...wrong, keepDays: '30' });
  expect(missing.error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'bucket.bucket',
    'bucket.accessKeyId',
  ]);
});
