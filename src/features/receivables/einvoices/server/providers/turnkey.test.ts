// The exchange of files: which files exist after each step, repeated steps, and inaccessible files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { readText, writeText, type FileStore } from '#platform/server/files/store/file-store.ts';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { allowanceOn, companyInvoice, consumerInvoice, seller } from '#tests/support/einvoices/documents.ts';
import { schemaErrors, xsdOf } from '#tests/support/einvoices/mig-xsd.ts';
import { ProviderRefused, ProviderUnsure, type EInvoiceProvider } from '../provider.ts';
import { turnkeyProvider } from './turnkey.ts';
import { readSummary, setTurnkeyState } from './turnkey-results.ts';

let files: FileStore;
let provider: EInvoiceProvider;
const names = async (folder: string): Promise<string[]> => (await files.list(folder)).map(({ name }) => name);

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-turnkey-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  files = await openFiles({ kind: 'folder', path: folder });
  provider = turnkeyProvider({ files, root: 'turnkey' });
});

const invoice = companyInvoice();
const source = 'turnkey/UpCast/B2SSTORAGE/F0401/SRC/F0401_AB12345001_20261126T143005.xml';
const at = new Date('2026-11-30T16:05:06Z');
const issued = { number: 'AB12345001', randomCode: '4321', issuedAt: invoice.issuedAt };

const summary = (type: string, good: readonly string[], failed: readonly string[]): string => {
  const list = (word: string, keys: readonly string[]): string =>
    `<${word}><Count>${keys.length}</Count>${keys
      .map(
        (key) =>
          `<Invoices><Invocie><ReferenceNumber>${key}</ReferenceNumber><InvoiceDate>2026-11-26</InvoiceDate></Invocie></Invoices>`,
      )
      .join('')}</${word}>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?><SummaryResult xmlns="urn:GEINV:SummaryResult:3.0"><RoutingInfo/><DetailList><Message>' +
    `<Info><Id>1</Id><Size>1</Size><MessageType>${type}</MessageType><Service>S</Service><Action>A</Action></Info>` +
    `<Result><Total><Count>${good.length + failed.length}</Count></Total>${list('Good', good)}${list('Failed', failed)}</Result>` +
    '</Message></DetailList></SummaryResult>'
  );
};

describe('T-EINV: an invoice file for Turnkey', () => {
  it('is named by type, number and time, in Turnkey’s folder, and valid in the schema', async () => {
    expect(await provider.findInvoice(invoice)).toBeNull();
    expect(await provider.issue(invoice)).toEqual(issued);
    expect(await names('turnkey/UpCast')).toEqual([source]);
    expect(schemaErrors(xsdOf('F0401'), (await readText(files, source)) ?? '')).toBe('');
    expect(await provider.findInvoice(invoice)).toEqual(issued);
    expect(await provider.invoiceState(invoice, issued)).toEqual({ state: 'uploading' });
  });

  it('is written once: issued again after Turnkey took it, nothing is written', async () => {
    await provider.issue(invoice);
    await files.remove([source]);
    expect(await provider.issue(invoice)).toEqual(issued);
    expect(await names('turnkey/UpCast')).toEqual([]);
  });

  it('never has other content under the same number', async () => {
    await provider.issue(invoice);
    const other = { ...invoice, total: 1051n, tax: 51n };
    await expect(provider.issue(other)).rejects.toMatchObject({ code: 'content_differs' });
    expect(await provider.findInvoice(other)).toBeNull();
    expect(await provider.findInvoice(invoice)).toEqual(issued);
  });

  it('is found when the crash was between the file and our copy of it', async () => {
    await provider.issue(invoice);
    await files.remove(['turnkey/sent/F0401/AB12345001.xml']);
    expect(await provider.findInvoice(invoice)).toEqual(issued);
    await provider.issue(invoice);
    expect(await names('turnkey')).toEqual([source, 'turnkey/sent/F0401/AB12345001.xml']);
  });

  it('is not written if it is invalid', async () => {
    await expect(provider.issue({ ...invoice, number: null })).rejects.toThrow(ProviderRefused);
    await expect(provider.issue({ ...invoice, seller: { ...seller, address: '' } })).rejects.toMatchObject({
      code: 'field_missing:seller.address',
    });
    expect(await names('')).toEqual([]);
  });

  it('is in other folders for the test environment', async () => {
    const trying = turnkeyProvider({ files, root: 'turnkey-stage' });
    await trying.issue(invoice);
    expect(await trying.check(at)).toEqual({ isLive: false });
    expect(await provider.check(at)).toEqual({ isLive: true });
    expect(await provider.findInvoice(invoice)).toBeNull();
  });
});

describe('T-EINV: later files for Turnkey', () => {
  it('void an invoice once, whatever the time of the second request', async () => {
    await provider.issue(invoice);
    expect(await provider.isVoided(invoice, issued)).toBe(false);
    await provider.voidInvoice(invoice, issued, '金額錯誤', at);
    await provider.voidInvoice(invoice, issued, '再一次', new Date(at.getTime() + 60_000));
    expect(await names('turnkey/UpCast/B2SSTORAGE/F0501')).toEqual([
      'turnkey/UpCast/B2SSTORAGE/F0501/SRC/F0501_AB12345001_20261201T000506.xml',
    ]);
    expect(await provider.isVoided(invoice, issued)).toBe(true);
    await expect(
      provider.voidInvoice(invoice, { ...issued, number: 'AB12345009' }, '字'.repeat(21), at),
    ).rejects.toMatchObject({
      code: 'field_long:reason',
    });
  });

  it('annul it, after which the number can have other content, and be annulled again', async () => {
    const first = consumerInvoice();
    await provider.issue(first);
    const annul = provider.annulInvoice;
    if (annul === null) throw new Error('Turnkey annuls');
    // Turnkey has not taken the invoice yet: two contents of one name must never exist.
    await expect(annul(first, issued, '註銷重開', at)).rejects.toMatchObject({ code: 'not_taken' });
    await files.remove([source]);
    await annul(first, issued, '註銷重開', at);
    await annul(first, issued, '註銷重開', at);
    expect(await provider.findInvoice(first)).toBeNull();
    const second = { ...first, total: 350n, sales: { ...first.sales, taxable: 350n } };
    await provider.issue(second);
    expect(await provider.findInvoice(second)).toEqual(issued);
    await files.remove([source]);
    await annul(second, issued, '註銷重開', new Date(at.getTime() + 1000));
    expect(await names('turnkey/UpCast/B2SSTORAGE/F0701')).toHaveLength(2);
    await expect(annul(second, issued, '註銷重開', new Date(at.getTime() + 2000))).rejects.toMatchObject({
      code: 'not_issued',
    });
  });

  it('reduce it by an allowance, which is found and voided', async () => {
    const allowance = allowanceOn(invoice, issued);
    expect(await provider.findAllowance(allowance)).toBeNull();
    const made = await provider.allow(allowance);
    expect(made).toEqual({ number: allowance.number });
    expect(await provider.findAllowance(allowance)).toEqual(made);
    expect(await provider.isAllowanceVoided(allowance, made)).toBe(false);
    await provider.voidAllowance(allowance, made, '折讓金額錯誤', at);
    expect(await provider.isAllowanceVoided(allowance, made)).toBe(true);
    await expect(provider.allow({ ...allowance, number: null })).rejects.toMatchObject({
      code: 'field_missing:number',
    });
  });

  it('report unused numbers in the folder of number tracks', async () => {
    await provider.reportUnused?.({
      seller,
      period: '2026-11',
      track: 'AB',
      range: { from: '12345000', to: '12345049' },
      unused: [{ from: '12345010', to: '12345049' }],
    });
    expect(await names('turnkey/UpCast')).toEqual([
      'turnkey/UpCast/B2PMESSAGE/E0402/SRC/E0402_AB202611_20261101T080000.xml',
    ]);
  });
});

describe('T-EINV: results of the Ministry’s platform', () => {
  it('are read once from the summaries that Turnkey unpacks', async () => {
    await provider.issue(invoice);
    const other = companyInvoice(2);
    await provider.issue(other);
    await writeText(files, 'turnkey/results/Summary-1.xml', summary('F0401', ['AB12345001'], ['AB12345002']));
    await writeText(files, 'turnkey/results/notes.txt', 'no summary');
    expect(await provider.invoiceState(invoice, issued)).toEqual({ state: 'uploaded' });
    expect(await provider.invoiceState(other, { ...issued, number: 'AB12345002' })).toMatchObject({
      state: 'failed',
    });
    expect(await names('turnkey/results')).toEqual([]);
    expect(await names('turnkey/results-read')).toEqual(['turnkey/results-read/Summary-1.xml']);
    expect(await names('turnkey/results-unreadable')).toEqual(['turnkey/results-unreadable/notes.txt']);
  });

  it('allow a failed invoice to be sent again, unchanged or corrected', async () => {
    await provider.issue(invoice);
    await files.remove([source]);
    const failed = { state: 'failed', code: 'Failed', reason: '憑證過期' } as const;
    await setTurnkeyState({ files, root: 'turnkey' }, { type: 'F0401', key: 'AB12345001', state: failed });
    expect(await provider.invoiceState(invoice, issued)).toEqual(failed);
    await provider.issue(invoice);
    expect(await names('turnkey/UpCast')).toEqual([source]);
    expect(await provider.invoiceState(invoice, issued)).toEqual({ state: 'uploading' });
    await setTurnkeyState({ files, root: 'turnkey' }, { type: 'F0401', key: 'AB12345001', state: failed });
    const mended = { ...invoice, remark: 'mended' };
    await provider.issue(mended);
    expect(await provider.findInvoice(mended)).toEqual(issued);
  });

  it('are not read from other files', () => {
    for (const text of [
      '',
      '<a/>',
      '<SummaryResult',
      'ProcessResult',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ])
      expect(readSummary(text)).toBeUndefined();
    expect(readSummary(summary('A0101', ['AB12345001'], []))).toEqual([]);
    expect(readSummary(summary('F0401', ['../../etc', ''], []))).toEqual([]);
  });
});

describe('T-EINV: an unavailable file store', () => {
  const away = Object.assign(new Error('away'), { code: 'FILES' });
  const failing: FileStore = {
    place: 's3://away',
    write: () => Promise.reject(away),
    read: () => Promise.reject(away),
    list: () => Promise.reject(away),
    check: () => Promise.reject(away),
    remove: () => Promise.reject(away),
    removeUnfinished: () => Promise.reject(away),
  };
  const lost = turnkeyProvider({ files: failing, root: 'turnkey' });
  const allowance = allowanceOn(invoice, issued);
  it.each<readonly [string, () => Promise<unknown>]>([
    ['check', () => lost.check(at)],
    ['issue', () => lost.issue(invoice)],
    ['findInvoice', () => lost.findInvoice(invoice)],
    ['voidInvoice', () => lost.voidInvoice(invoice, issued, '作廢', at)],
    ['isVoided', () => lost.isVoided(invoice, issued)],
    ['allow', () => lost.allow(allowance)],
    ['findAllowance', () => lost.findAllowance(allowance)],
    ['voidAllowance', () => lost.voidAllowance(allowance, { number: 'EA1' }, '作廢', at)],
    ['isAllowanceVoided', () => lost.isAllowanceVoided(allowance, { number: 'EA1' })],
    ['invoiceState', () => lost.invoiceState(invoice, issued)],
  ])('%s reports an unknown state', async (_name, use) => {
    await expect(use()).rejects.toThrow(ProviderUnsure);
  });
});
