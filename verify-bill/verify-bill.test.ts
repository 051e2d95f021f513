// The program that recomputes a bill, run as a customer runs it, on bills of a real console and on
// manipulated proofs.
import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { billProofs } from '#features/operations/bill-proofs/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { judgedFolder, unpackedProof } from '../tests/support/bill-proofs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../tests/support/console.ts';
import type { Finding } from './verify-bill.ts';

const run = promisify(execFile);
let console: TestConsole;
let admin: string;
let owner: string;
let billId: Id<'bil'>;
let folder: string;

const named = (enUS: string) => ({ zhTW: enUS, enUS });
const card: Pricing = {
  model: 'rate_card',
  currency: 'USD',
  minimum: '10',
  charges: [
    {
      key: 'seats',
      name: named('Seats'),
      kind: 'recurring',
      model: 'per_unit',
      unitPrice: '9.99',
      timing: 'advance',
    },
    { key: 'setup', name: named('Set-up'), kind: 'one_time', model: 'flat', amount: '25' },
    {
      key: 'traffic',
      name: named('Traffic'),
      kind: 'usage',
      meter: 'traffic',
      model: 'matrix',
      rates: [
        {
          when: { region: 'tpe' },
          tiers: [
            { upTo: '100', unitPrice: '0.123456' },
            { upTo: null, unitPrice: '0.1', flatFee: '1' },
          ],
        },
        { when: {}, unitPrice: '0.2' },
      ],
    },
    {
      key: 'fees',
      name: named('Fees'),
      kind: 'usage',
      meter: 'payments',
      model: 'percentage',
      ratePercent: '1.5',
      fixedPerEvent: '0.3',
      freeEvents: 1,
      maxPerEvent: '5',
    },
    {
      key: 'peak',
      name: named('Peak'),
      kind: 'usage',
      meter: 'peak',
      model: 'volume',
      tiers: [
        { upTo: '5', unitPrice: '2' },
        { upTo: null, unitPrice: '1.5' },
      ],
      minimum: '20',
    },
  ],
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-09-10T03:00:00Z'));
  admin = await setUp(console);
  const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  for (const meter of [
    {
      key: 'traffic',
      name: 'Traffic',
      unit: 'GB',
      eventType: 'net',
      aggregation: 'sum',
      dimensions: ['region'],
    },
    { key: 'payments', name: 'Payments', unit: 'USD', eventType: 'pay', aggregation: 'sum' },
    {
      key: 'peak',
      name: 'Peak',
      unit: 'Gbit/s',
      eventType: 'net',
      aggregation: 'percentile',
      p: 95,
      sampleMinutes: 60,
      filter: { region: ['tpe'] },
    },
  ] satisfies In<typeof meters.createMeter>[])
    await console.ok(meters.createMeter, meter, { token: admin });
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Machine',
      type: 'IaaS',
      category: 'Own',
      pricing: card,
      meter: { eventType: 'net', aggregation: 'sum', unit: 'GB' },
    },
    { token: admin },
  );
  const single = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: {
        model: 'package',
        currency: 'USD',
        baseFee: '3',
        packageSize: '10',
        packagePrice: '0.07',
        freeUnits: '5',
        maximum: '3.2',
      },
      meter: { eventType: 'call', aggregation: 'count', unit: 'calls' },
    },
    { token: admin },
  );
  const { organizationId } = await registerUser(console, 'owner@dawn.example', '晨光');
  const subscribed = async (serviceId: Id<'svc'>, quantity: string) =>
    (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId: organizationId as Id<'org'>, serviceId, quantity },
        { token: admin },
      )
    ).id;
  const [machine, calls] = [await subscribed(service.id, '3'), await subscribed(single.id, '1')];
  const friend = await console.ok(
    discounts.createDiscount,
    { name: named('Friend'), reduction: { kind: 'percent', percent: '7.5' }, duration: { kind: 'forever' } },
    { token: admin },
  );
  await console.ok(
    discounts.giveDiscount,
    { discountId: friend.id, organizationId: organizationId as Id<'org'> },
    { token: admin },
  );
  const event = (
    id: string,
    type: string,
    subject: string,
    hour: number,
    value: string,
    data: object = {},
  ) => ({
    specversion: '1.0',
    id,
    source: '/gateway',
    type,
    subject,
    time: new Date(Date.parse('2026-09-10T04:00:00Z') + hour * 3_600_000).toISOString(),
    data: { value, ...data },
  });
  const region = (hour: number): object => ({ region: hour % 3 === 0 ? 'nrt' : 'tpe' });
  const events = [
    ...Array.from({ length: 60 }, (_, hour) =>
      event(`n${hour}`, 'net', machine, hour, `${hour + 1}.25`, region(hour)),
    ),
    ...Array.from({ length: 4 }, (_, hour) => event(`p${hour}`, 'pay', machine, hour, `${hour * 200 + 10}`)),
    ...Array.from({ length: 37 }, (_, hour) => event(`c${hour}`, 'call', calls, hour, '1')),
  ];
  const send = async (batch: readonly object[]): Promise<void> => {
    const { rejected } = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify(batch),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect(rejected).toEqual([]);
  };
  console.clock.set(new Date('2026-09-20T00:00:00Z'));
  await send(events);
  await send([{ ...event('v1', 'net.void', machine, 1, '0'), data: { id: 'n7' } }]);
  console.clock.set(new Date('2026-10-05T00:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month: '2026-09' as BillingMonth }, { token: admin });
  owner = await signIn(console, 'owner@dawn.example');
  const { items } = await console.ok(billing.listBills, {}, { token: owner });
  billId = items[0]!.id;
  folder = await unpackedProof(console, billId, owner);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
const findingsOf = (outcome: Finding['outcome']): string[] =>
  judgedFolder(folder)
    .findings.filter((each) => each.outcome === outcome)
    .map(({ line, check }) => `${line === null ? 'bill' : nameOf(line)} ${check}`);
type Line = {
  id: string;
  kind: string;
  charge?: { key: string };
  term?: object;
  exact: string;
  quantity: string;
  total: { amount: string };
};
type Proof = {
  bill: { net: { amount: string }; tax: { amount: string }; total: { amount: string } };
  lines: Line[];
  prices: Record<
    string,
    { pricing: { charges?: { key: string; rates?: { unitPrice?: string }[] }[]; packagePrice?: string } }
  >;
  events: Record<string, { file: string; sha256: string }>;
};
const proofNow = (): Proof => JSON.parse(file('bill.json')) as Proof;
const nameOf = (id: string): string => {
  const line = proofNow().lines.find((each) => each.id === id);
  return line?.charge?.key ?? line?.kind ?? id;
};

/** Changes a proof and signs it again, as a dishonest provider could; returns what differs. */
function differsAfter(
  change: (proof: Proof, changeEvents: (edit: (text: string) => string) => void) => void,
): string[] {
  const kept = new Map(['bill.json', 'bill.json.sig', 'public-keys.json'].map((name) => [name, file(name)]));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  try {
    const proof = proofNow();
    change(proof, (edit) => {
      for (const listed of Object.values(proof.events)) {
        kept.set(listed.file, file(listed.file));
        const text = edit(file(listed.file));
        writeFileSync(join(folder, listed.file), text);
        listed.sha256 = createHash('sha256').update(text).digest('hex');
      }
    });
    const text = JSON.stringify(proof);
    writeFileSync(join(folder, 'bill.json'), text);
    const keyId = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
    const signature = sign(null, Buffer.from(`skytally-bill-proof\n${text}`), privateKey).toString(
      'base64url',
    );
    writeFileSync(join(folder, 'bill.json.sig'), JSON.stringify({ algorithm: 'ed25519', keyId, signature }));
    writeFileSync(join(folder, 'public-keys.json'), JSON.stringify({ keys: [{ publicKey }] }));
    expect(judgedFolder(folder).refused).toBeNull();
    return findingsOf('differs');
  } finally {
    for (const [name, text] of kept) writeFileSync(join(folder, name), text);
  }
}
const lineOf = (proof: Proof, key: string): Line =>
  proof.lines.find((line) => (line.charge?.key ?? line.kind) === key) ?? expect.fail(`no line ${key}`);

describe('T-PROOF: the proof of a bill', () => {
  it('matches line by line, recomputed only from events and prices', async () => {
    expect(findingsOf('differs')).toEqual([]);
    const same = findingsOf('same');
    for (const found of [
      'traffic usage',
      'traffic price',
      'fees price',
      'peak usage',
      'peak price',
      'seats price',
      'setup price',
      'base_fee price',
      'usage usage',
      'usage price',
      'discount shares',
      'bill net',
      'bill tax',
      'bill total',
    ])
      expect(same).toContain(found);
    const { stdout } = await run(process.execPath, ['verify-bill.mjs'], { cwd: folder });
    expect(stdout).toContain('The same: the recomputed amounts match the bill.');
    const bill = await console.ok(billing.getBill, { billId }, { token: owner });
    expect(stdout).toContain(bill.number);
  });

  it.each<[string, Parameters<typeof differsAfter>[0], string[]]>([
    ['another quantity', (proof) => void (lineOf(proof, 'traffic').quantity = '1'), ['traffic usage']],
    [
      'another exact price',
      (proof) => void (lineOf(proof, 'fees').exact = '99'),
      ['fees price', 'fees rounding', 'fees price'],
    ],
    [
      'an additional event',
      (_, events) => events((text) => text.replace('"value":"2.25"', '"value":"3.25"')),
      ['traffic usage', 'traffic price'],
    ],
    [
      'a missing correction',
      (_, events) =>
        events((text) =>
          text
            .split('\n')
            .filter((line) => !line.includes('cancels'))
            .join('\n'),
        ),
      ['traffic usage', 'traffic price'],
    ],
    [
      'a lower price of packages',
      (proof) =>
        Object.values(proof.prices).forEach(({ pricing }) => {
          if (pricing.packagePrice) pricing.packagePrice = '0.06';
        }),
      ['usage price'],
    ],
    ['another tax', (proof) => void (proof.bill.tax.amount = '0.01'), ['bill tax']],
    ['another total', (proof) => void (proof.bill.total.amount = '0.01'), ['bill total']],
    [
      'a missing line',
      (proof) => void (proof.lines = proof.lines.filter((line) => line.charge?.key !== 'setup')),
      ['bill net', 'bill net', 'bill tax', 'bill tax', 'bill total'],
    ],
  ])('differs after %s, even when it is signed again', (_name, change, expected) => {
    expect(differsAfter(change)).toEqual(expect.arrayContaining(expected));
  });

  it('is rejected when a byte of it was changed, and without its key', async () => {
    const kept = file('bill.json');
    writeFileSync(join(folder, 'bill.json'), kept.replace('"quantity": "3"', '"quantity": "4"'));
    expect(judgedFolder(folder).refused).toContain('the bill was changed');
    await expect(run(process.execPath, ['verify-bill.mjs'], { cwd: folder })).rejects.toMatchObject({
      code: 1,
    });
    writeFileSync(join(folder, 'bill.json'), kept);
    expect(judgedFolder(folder, []).refused).toContain('not among the public keys');
    await expect(
      run(process.execPath, ['verify-bill.mjs', '/nowhere'], { cwd: folder }),
    ).rejects.toMatchObject({ code: 2 });
  });

  it('is available only for bills of the own organization', async () => {
    const { organizationId } = await registerUser(console, 'other@dusk.example', '暮色');
    expect(organizationId).not.toBe('');
    const other = await signIn(console, 'other@dusk.example');
    expect((await console.call(billProofs.billProof, { billId }, { token: other })).status).toBe(404);
    expect((await console.call(billProofs.adminBillProof, { billId }, { token: owner })).status).toBe(403);
    const asAdmin = await unpackedProof(console, billId, admin, billProofs.adminBillProof);
    expect(judgedFolder(asAdmin).isSame).toBe(true);
    rmSync(asAdmin, { recursive: true });
  });
});
