// The totals of discounts, credit, commitments and minimum spends in a month pack; the check of a pack
// compares them with the rows of its FOCUS file (R-BILL-05).
import { createWriteStream, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { zipOf } from '#platform/server/files/zip.ts';
import { commitments } from '../src/features/invoicing/commitments/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { discounts } from '../src/features/invoicing/discounts/contract.ts';
import { oneOffs } from '../src/features/invoicing/one-offs/contract.ts';
import { packs } from '../src/features/reporting/packs/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  fee,
  moveTo,
  net,
  september,
  startBilling,
  twd,
} from '../tests/support/corrections.ts';
import { openArchive } from './archive.ts';
import { packIsWhole } from './pack.ts';

const named = (text: string) => ({ zhTW: text, enUS: text });
const asAdmin = () => ({ token: at.admin });
/** The pack's files, by name. */
let files: Map<string, Buffer>;

beforeAll(async () => {
  await startBilling();
  const [short, over, small] = [
    await customer(fee('1000')),
    await customer(fee('1000')),
    await customer(fee('100')),
  ];
  await moveTo('2024-09-20T00:00:00Z');
  const discount = await at.console.ok(
    discounts.createDiscount,
    {
      name: named('Tenth'),
      reduction: { kind: 'percent', percent: '10' },
      duration: { kind: 'once' },
      scope: null,
    },
    asAdmin(),
  );
  await at.console.ok(
    discounts.giveDiscount,
    { discountId: discount.id, organizationId: short.organizationId },
    asAdmin(),
  );
  const commit = (organizationId: typeof short.organizationId, amount: number) =>
    at.console.ok(
      commitments.makeCommitment,
      {
        organizationId,
        name: named('Commitment'),
        startsOn: september,
        months: 1,
        period: 'month',
        amounts: [twd(amount)],
        committedPercent: '80',
        overagePercent: '120',
      },
      asAdmin(),
    );
  await commit(short.organizationId, 2000);
  await commit(over.organizationId, 600);
  await at.console.ok(
    oneOffs.createMinimumSpend,
    { organizationId: small.organizationId, amount: twd(450) },
    asAdmin(),
  );
  await at.console.ok(
    creditgrants.giveGrant,
    { organizationId: small.organizationId, kind: 'promotional', name: named('Gift'), amount: twd(77) },
    asAdmin(),
  );
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  // Later reversals do not change the totals of the bills.
  await credit(await billOf(over), net(30));
  await at.console.ok(credits.voidBill, { billId: (await billOf(small)).id, reason: 'wrong' }, asAdmin());
  const { id } = await at.console.ok(packs.makePack, { month: september }, asAdmin());
  await vi.waitFor(
    async () => {
      const { items } = await at.console.ok(packs.listPacks, {}, asAdmin());
      if (items.find((pack) => pack.id === id)?.state !== 'done') throw new Error('not yet');
    },
    { timeout: 50_000, interval: 50 },
  );
  const { body } = (await at.console.ok(packs.downloadPack, { packId: id }, asAdmin())) as unknown as {
    body: Uint8Array;
  };
  const path = join(tmpdir(), `${id}.zip`);
  writeFileSync(path, body);
  const archive = await openArchive(path);
  files = new Map();
  for (const file of archive.files) files.set(file.name, await buffer(await archive.read(file)));
  archive.close();
}, 60_000);

type Told = { terms?: { currency: string; [term: string]: string }[] };
const manifest = (): Told =>
  JSON.parse(required(files.get('manifest.json'), 'a manifest').toString()) as Told;
/** The result of checking the pack with another manifest. */
async function checked(told: Told): Promise<[boolean, string[]]> {
  const path = join(tmpdir(), `pack-terms-${process.pid}.zip`);
  const entries = [...files].map(([name, content]) => ({
    name,
    content: name === 'manifest.json' ? Buffer.from(JSON.stringify(told)) : content,
  }));
  await pipeline(Readable.from(zipOf(Readable.from(entries))), createWriteStream(path));
  const output: string[] = [];
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output.push(String(text));
    return true;
  });
  try {
    return [await packIsWhole(path), output.filter((line) => line.startsWith('FAIL'))];
  } finally {
    print.mockRestore();
  }
}

describe('R-BILL-05 a month pack', () => {
  it('contains the total of each term on the month’s bills', async () => {
    expect(manifest().terms).toEqual([
      {
        currency: 'TWD',
        // A tenth of 1,000.
        discount: '-100',
        // 450 less 77, all of which was voided later.
        promotionalCredit: '-77',
        // 900 at 80 %; of 1,000, 750 at 80 % and 250 at 120 %: -180, -150 and 50.
        commitmentRates: '-280',
        // 2,000 less 720.
        trueUp: '1280',
        // 450 less the fee of 100.
        minimumSpend: '350',
      },
    ]);
    expect(await checked(manifest())).toEqual([true, []]);
    // Packs of earlier versions have no totals.
    const { terms: _terms, ...before } = manifest();
    expect(await checked(before)).toEqual([true, []]);
  });

  it.each([
    ['discount', '-101'],
    ['promotionalCredit', '0'],
    ['commitmentRates', '280'],
    ['trueUp', '1279'],
    ['minimumSpend', '351'],
  ])('with another total of %s is incomplete', async (term, amount) => {
    const original = manifest();
    const changed = {
      ...original,
      terms: original.terms?.map((sums) => ({ ...sums, [term]: amount })),
    } as Told;
    expect(await checked(changed)).toEqual([
      false,
      [`FAIL focus.csv: its total of ${term} in TWD differs from the manifest\n`],
    ]);
  });

  it('without the terms of a currency is incomplete', async () => {
    const [isWhole, wrong] = await checked({ ...manifest(), terms: [] });
    expect([isWhole, wrong.length]).toEqual([false, 5]);
  });
});
