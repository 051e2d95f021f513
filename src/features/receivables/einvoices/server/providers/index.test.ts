// Which provider a seller's settings select, and which address it calls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { movableClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { companyInvoice, consumerInvoice } from '#tests/support/einvoices/documents.ts';
import { startInvoicesApart } from '#tests/support/einvoices/apart.ts';
import { ecpayInvoiceAccount } from '#tests/support/einvoices/ecpay.ts';
import { ezpayInvoiceAccount } from '#tests/support/einvoices/ezpay.ts';
import { ProviderUnsure, type EInvoiceProvider, type EInvoiceProviderName } from '../provider.ts';
import { createEInvoiceProvider } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-ways-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
const files = await openFiles({ kind: 'folder', path: join(folder, 'files') });

const wayOf = (
  provider: EInvoiceProviderName,
  account: { merchantId: string; hashKey: string; hashIv: string },
  environment: Record<string, string> = {},
  isStage = true,
): EInvoiceProvider =>
  createEInvoiceProvider(
    {
      config: readConfig({ DATA_DIR: folder, ...environment }),
      clock: movableClock(new Date('2026-11-26T06:30:06Z')),
      files,
    },
    { provider, ...account, isStage, hasB2b: false },
  );
const nobody = { merchantId: '', hashKey: '', hashIv: '' };

test('T-EINV: Turnkey takes numbers from our tracks, and stage has files of its own', async () => {
  const way = wayOf('turnkey', nobody);
  expect(way).toMatchObject({ name: 'turnkey', allotsNumbers: false });
  await way.issue(companyInvoice());
  expect((await files.list('turnkey-stage')).length).toBeGreaterThan(0);
  expect(await wayOf('turnkey', nobody, {}, false).findInvoice(companyInvoice())).toBeNull();
});

test.each([
  ['ecpay', ecpayInvoiceAccount, 'ECPAY_INVOICE_API_BASE'],
  ['ezpay', ezpayInvoiceAccount, 'EZPAY_INVOICE_API_BASE'],
] as const)(
  'T-EINV: %s in a separate process is called at the address in the environment',
  async (name, account, setting) => {
    const apart = await startInvoicesApart(name);
    const way = wayOf(name, account, { [setting]: apart.url });
    expect(way).toMatchObject({ name, allotsNumbers: true });
    await apart.lie('cut after', 'ssue');
    await expect(way.issue(consumerInvoice())).rejects.toBeInstanceOf(ProviderUnsure);
    expect((await apart.state()).invoices).toMatchObject([{ total: 340 }]);
    expect(await way.findInvoice(consumerInvoice())).not.toBeNull();
  },
);
