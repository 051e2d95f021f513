// A customer whose bill came from imported cloud costs.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Credentials, Journey } from './journey.ts';
import { expect } from './test.ts';

/**
 * Imports the sample of cloud costs, closes September 2024, and gives `payer` an account at the organization
 * with the largest bill.
 */
export async function importCustomer(journey: Journey, token: string, payer: Credentials): Promise<void> {
  const csv = await readFile(resolve(import.meta.dirname, '../../../demo-data/focus-sample.csv'), 'utf8');
  const { id } = await journey.call<{ id: string }>('POST', '/admin/imports/focus', csv, token, 'text/csv');
  await expect
    .poll(
      async () =>
        (await journey.call<{ state: string }>('GET', `/admin/imports/${id}`, undefined, token)).state,
      { timeout: 30_000, message: 'the import' },
    )
    .toBe('done');
  await journey.call('POST', '/admin/billing/close', { month: '2024-09' }, token);
  const { items } = await journey.call<{ items: { organizationId: string }[] }>(
    'GET',
    '/admin/bills?sort=-total&limit=1',
    undefined,
    token,
  );
  const user = { ...payer, name: '付款人', role: 'User', organizationId: items[0]?.organizationId };
  await journey.call('POST', '/admin/users', user, token);
}
