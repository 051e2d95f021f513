// Export and import of services as files.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import { allLanguages } from '#kernel/language.ts';
import { catalogue, type ServiceImport } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestConsole, setUp, signIn, userPassword, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
type New = In<typeof catalogue.createService>;
const meter: New['meter'] = { eventType: 'e', aggregation: 'sum', unit: 'GB' };
const make = (service: Partial<New> & { name: string }) =>
  console.ok(
    catalogue.createService,
    {
      type: 'Storage',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter,
      ...service,
    },
    { token },
  );
const csv = async (filter: Partial<In<typeof catalogue.exportServices>> = {}): Promise<string> => {
  const answer = await console.ok(catalogue.exportServices, { format: 'csv', ...filter }, { token });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.body as Uint8Array);
};
const importCsv = (
  body: string | Uint8Array,
  options: In<typeof catalogue.importServices> = {},
  language: 'zhTW' | 'enUS' = 'enUS',
) =>
  console.call(catalogue.importServices, options, {
    token,
    language,
    body: body as string,
    headers: { 'content-type': 'text/csv' },
  });
const counts = ({ applied, created, updated, unchanged, refused }: ServiceImport): unknown => [
  applied,
  created,
  updated,
  unchanged,
  refused,
];
/** All properties of services, without those that a new one gets by itself. */
const known = async (): Promise<unknown[]> =>
  (await console.ok(catalogue.adminListServices, { limit: 200 }, { token })).items.map(
    ({
      id: _id,
      priceVersionId: _price,
      createdAt: _made,
      priceEffectiveFrom: _from,
      version: _version,
      ...rest
    }) => rest,
  );
const db = () => console.app.database.kysely;

/** One service of each price model, with every field, and texts that are difficult for spreadsheets. */
const all: (Partial<New> & { name: string })[] = [
  {
    name: '=HYPERLINK("http://evil")',
    description: '\'=already guarded, "quoted"\nsecond line',
    features: ['一，二', 'back\\slash', 'a\nb'],
    tags: ['+tag', "'-x", 'plain'],
  },
  {
    name: '＝全形',
    type: '運算',
    category: '平台',
    status: 'inactive',
    releaseState: 'Coming Soon',
    billingCycle: 'yearly',
    proration: 'second',
    trialDays: 14,
    family: 'vm',
    popular: true,
    recommended: true,
    quota: { type: 'hard', limit: '1000000000000.000000000001' },
    pricing: {
      model: 'per_unit',
      currency: 'USD',
      unitPrice: '0.0000004',
      included: '1000',
      minimum: '5',
      maximum: '99999999999999999999.5',
      baseFee: '1.25',
    },
  },
  {
    name: 'Graduated',
    pricing: {
      model: 'graduated',
      currency: 'TWD',
      tiers: [
        { upTo: '1000', unitPrice: '0.5', flatFee: '10' },
        { upTo: '123456789012345678', unitPrice: '0.000000000001' },
        { upTo: null, unitPrice: '0' },
      ],
    },
  },
  {
    name: 'Volume',
    releaseState: 'Beta',
    pricing: { model: 'volume', currency: 'TWD', included: '5', tiers: [{ upTo: null, unitPrice: '2' }] },
  },
  {
    name: 'Package',
    pricing: { model: 'package', currency: 'TWD', packageSize: '1000', packagePrice: '3.5', freeUnits: '10' },
    quota: { type: 'soft', limit: '5' },
  },
  {
    name: 'Flat',
    pricing: { model: 'flat', currency: 'TWD', baseFee: '300' },
    meter: {
      eventType: 'x',
      aggregation: 'unique_count',
      property: 'user',
      unit: '人',
      dataSchema: {
        type: 'object',
        required: ['user', 'value'],
        properties: { user: { type: 'string', pattern: '^=[a-z]+$', title: '使用者, "a"' } },
        additionalProperties: false,
      },
    },
  },
];

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});
beforeEach(async () => {
  await sql`delete from service`.execute(db());
});

describe('R-CAT-05 export', () => {
  it('writes every filtered service with escaped formulas, counts them first, and logs who exported what', async () => {
    for (const service of all) await make(service);
    const response = await fetch(
      `${console.address}/api/admin/services/export?format=csv&status=active&sort=-name`,
      { headers: { authorization: `Bearer ${token}`, 'accept-language': 'zh-TW' } },
    );
    expect([
      response.headers.get('x-total-rows'),
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual(['5', 'text/csv; charset=utf-8', expect.stringContaining(encodeURIComponent('服務'))]);
    const [header, ...rows] = parse(await response.text(), { bom: true });
    expect(header?.slice(0, 3)).toEqual(['外部代號', '名稱', '類型']);
    expect(rows.map((row) => row[1])).toEqual([
      'Volume',
      'Package',
      'Graduated',
      'Flat',
      `'=HYPERLINK("http://evil")`,
    ]);
    const audit = await sql<{
      detail: object;
      actor_kind: string;
    }>`select detail, actor_kind from audit_log where action = 'catalogue.exportServices'`.execute(db());
    expect(audit.rows).toEqual([
      { actor_kind: 'user', detail: { format: 'csv', rows: 5, filter: { status: 'active', sort: '-name' } } },
    ]);
  });

  it('as Excel is a workbook of the same rows', async () => {
    await make({ name: 'One' });
    const { mediaType, body } = await console.ok(catalogue.exportServices, { format: 'xlsx' }, { token });
    expect([
      mediaType,
      Buffer.from(body as Uint8Array)
        .subarray(0, 2)
        .toString(),
    ]).toEqual(['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK']);
  });

  it('releases its database connection when the reader disconnects, and when the database closes it', async () => {
    await sql`insert into service (id, name, type, category, event_type, aggregation, unit, created_at, description) select 'svc_' || lpad(n::text, 26, '0'), 'S' || n, 'T', 'C', 'e', 'sum', 'u', now(), repeat('x', 1500) from generate_series(1, 30000) n`.execute(
      db(),
    );
    await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at) select replace(id, 'svc', 'prv'), id, now() - interval '1 year', 'TWD', '{"model":"flat","currency":"TWD","baseFee":"1"}', now() from service`.execute(
      db(),
    );
    const { pool } = console.app.database;
    const exporting = async (): Promise<number> =>
      (
        await sql<{
          count: bigint;
        }>`select count(*) as count from pg_stat_activity where query like 'fetch forward%' and datname = current_database() and state <> 'idle'`.execute(
          db(),
        )
      ).rows.map((row) => Number(row.count))[0] ?? 0;
    const begin = async (by = token): Promise<{ away: AbortController; readOn: () => Promise<void> }> => {
      const away = new AbortController();
      const response = await fetch(`${console.address}/api/admin/services/export?format=csv`, {
        headers: { authorization: `Bearer ${by}` },
        signal: away.signal,
      });
      const reader = response.body?.getReader();
      await reader?.read();
      const readOn = async (): Promise<void> => {
        while ((await reader?.read())?.done === false);
      };
      return { away, readOn };
    };
    const first = await begin();
    expect(await exporting()).toBe(1);
    first.away.abort();
    await expect.poll(exporting).toBe(0);
    // Clients that stop reading hold some connections, never all.
    const slow: Awaited<ReturnType<typeof begin>>[] = [];
    const [second, third] = await Promise.all(
      ['second', 'third'].map(async (name) => {
        await console.ok(
          identity.createUser,
          { account: `${name}@cloud.example`, name, role: 'Admin', password: userPassword },
          { token },
        );
        return signIn(console, `${name}@cloud.example`);
      }),
    );
    for (const by of [token, token, second, second]) slow.push(await begin(by));
    expect(await exporting()).toBe(4);
    const asking = async (by = token): Promise<unknown> =>
      (await console.call(catalogue.exportServices, { format: 'csv' }, { token: by })).envelope.code;
    expect([await asking(), await asking(third)]).toEqual(['platform.too_many_requests', 'platform.busy']);
    for (const one of slow) one.away.abort();
    await expect.poll(exporting).toBe(0);
    const cut = await begin();
    expect(await exporting()).toBe(1);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'fetch forward%' and datname = current_database() and pid <> pg_backend_pid()`.execute(
      db(),
    );
    await expect.poll(exporting).toBe(0);
    // The client sees that the file is incomplete; the process runs and every connection is free again.
    await expect(cut.readOn()).rejects.toThrow();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect((await console.ok(catalogue.adminListServices, { limit: 1 }, { token })).total).toBe(30_000);
  });
});

describe('R-CAT-05 import', () => {
  it('reads an unchanged export in every language', async () => {
    expect(allLanguages()).toContain('jaJP');
    for (const service of all) await make(service);
    const before = await known();
    for (const language of allLanguages()) {
      const file = await csv({ language });
      expect(counts((await importCsv(file)).data), language).toEqual([true, 0, 0, all.length, 0]);
      await sql`delete from service`.execute(db());
      const { data } = await importCsv(file);
      expect([counts(data), data.rows.flatMap((row) => row.errors)]).toEqual([
        [true, all.length, 0, 0, 0],
        [],
      ]);
      expect(await known()).toEqual(before);
      expect(counts((await importCsv(file)).data)).toEqual([true, 0, 0, all.length, 0]);
      expect(await csv({ language })).toBe(file);
    }
  });

  it('previews its effect without writing anything', async () => {
    await make({ name: 'There' });
    // Two prices cannot begin at one moment, and the preview is rejected for the same reasons as the import.
    console.clock.advance(1000);
    const file =
      'name,type,category,eventType,aggregation,unit,currency,model,unitPrice\nThere,Storage,Own,e,sum,GB,TWD,per_unit,2\nNew,Storage,Own,e,sum,GB,TWD,per_unit,1\nBad,Storage,Own,e,sum,GB,TWD,per_unit,-1';
    const { data } = await importCsv(file, { dryRun: true });
    expect(data.rows.map(({ row, name, action, newPrice }) => [row, name, action, newPrice])).toEqual([
      [2, 'There', 'update', true],
      [3, 'New', 'create', true],
      [4, 'Bad', 'refused', false],
    ]);
    expect([data.applied, (await known()).length]).toEqual([false, 1]);
    expect(counts((await importCsv(file.slice(0, file.indexOf('\nBad')), { dryRun: true })).data)).toEqual([
      false,
      1,
      1,
      0,
      0,
    ]);
    expect((await known()).length).toBe(1);
  });

  it('with a bad row writes nothing, or the good ones on request', async () => {
    const file =
      'name,type,category,eventType,aggregation,unit,currency,model,unitPrice\nGood,A,B,e,sum,GB,TWD,per_unit,1\nBad,A,B,e,sum,GB,TWD,per_unit,x';
    expect(counts((await importCsv(file)).data)).toEqual([false, 1, 0, 0, 1]);
    expect(await known()).toEqual([]);
    expect(counts((await importCsv(file, { badRows: 'leaveOut' })).data)).toEqual([true, 1, 0, 0, 1]);
    expect((await known()).length).toBe(1);
  });

  it('changes only the columns of the file; a changed price is a new version', async () => {
    const service = await make({
      name: 'There',
      description: 'stays',
      tags: ['a'],
      quota: { type: 'soft', limit: '9' },
    });
    console.clock.advance(1000);
    expect(counts((await importCsv('name,type,unitPrice,popular\nThere,Storage,2,true')).data)).toEqual([
      true,
      0,
      1,
      0,
      0,
    ]);
    const after = await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token });
    expect(after).toMatchObject({
      description: 'stays',
      tags: ['a'],
      quota: service.quota,
      popular: true,
      pricing: { unitPrice: '2' },
      version: service.version + 1,
    });
    expect(
      (await console.ok(catalogue.listPrices, { serviceId: service.id }, { token })).items.map(
        (item) => item.state,
      ),
    ).toEqual(['current', 'past']);
  });

  it('reports each row’s errors by column, in the reader’s language', async () => {
    await make({ name: 'There' });
    const head =
      'name,type,category,eventType,aggregation,unit,currency,model,unitPrice,tiers,quotaType,quotaLimit,releaseState';
    const { data } = await importCsv(
      [
        head,
        ',A,B,e,sum,GB,TWD,per_unit,-1,,,,Soon',
        'T,A,B,e,sum,GB,TWD,graduated,,10:1; 5:1; *:1,,,',
        'Q,A,B,e,sum,GB,TWD,per_unit,1,,hard,0,',
        'There,Storage,Own,other,sum,GB,TWD,per_unit,1,,,,',
        'There,Storage,Own,e,sum,GB,USD,per_unit,1,,,,',
        'short,A',
      ].join('\n'),
      { dryRun: true },
      'zhTW',
    );
    expect(
      data.rows.map(({ row, errors }) => [row, errors.map(({ column, code }) => [column, code])]),
    ).toEqual([
      [
        2,
        [
          ['名稱', 'platform.field_required'],
          ['發布階段', 'platform.field_invalid'],
          ['單價', 'platform.field_invalid'],
        ],
      ],
      [3, [['級距', 'catalogue.tiers_wrong']]],
      [4, [['配額上限', 'catalogue.quota_zero']]],
      [5, [['事件類型', 'catalogue.import_meter_fixed']]],
      [6, [['', 'catalogue.import_repeated']]],
      [7, [['', 'catalogue.import_cells']]],
    ]);
    expect(
      data.rows.flatMap((row) => row.errors).every((error) => /[\u4e00-\u9fff].*。$/.test(error.message)),
    ).toBe(true);
  });

  it('exports the plan families of an add-on, imports them for services with charges, and rejects them for single prices', async () => {
    const { id } = await console.ok(
      catalogue.createService,
      {
        name: 'Backup',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        addOnTo: ['Machines', 'Line\nbreak'],
        charges: [
          { key: 'fee', name: { zhTW: '月費', enUS: 'Fee' }, kind: 'recurring', model: 'flat', amount: '9' },
        ],
      },
      { token },
    );
    const addOnTo = async () =>
      (await console.ok(catalogue.adminGetService, { serviceId: id }, { token })).addOnTo;
    const file = await csv();
    const [head, row] = parse(file, { bom: true });
    expect([head?.at(-1), row?.at(-1)]).toEqual(['Add-on to plan families', 'Machines\nLine\\nbreak']);
    // Repeating it changes nothing, nor does a file without the column.
    for (const same of [file, 'name,type\nBackup,VM'])
      expect(counts((await importCsv(same)).data), same).toEqual([true, 0, 0, 1, 0]);
    const changed = await importCsv('name,type,addOnTo\nBackup,VM,"Machines\nClouds"');
    expect(counts(changed.data)).toEqual([true, 0, 1, 0, 0]);
    expect(await addOnTo()).toEqual(['Machines', 'Clouds']);
    // An empty cell makes it a regular service again.
    expect(counts((await importCsv('name,type,addOnTo\nBackup,VM,')).data)).toEqual([true, 0, 1, 0, 0]);
    expect(await addOnTo()).toEqual([]);
    await make({ name: 'Single' });
    const refused = await importCsv('name,type,addOnTo\nSingle,Storage,Machines', {}, 'zhTW');
    expect(refused.data.rows[0]?.errors.map(({ column, code }) => [column, code])).toEqual([
      ['加購於方案系列', 'catalogue.add_on_price'],
    ]);
    expect(counts((await importCsv(file)).data)).toEqual([true, 0, 1, 0, 0]);
    expect(await addOnTo()).toEqual(['Machines', 'Line\nbreak']);
  });

  it('keeps and changes the limited meter of a rate card, and rejects an unknown one at its row', async () => {
    for (const key of ['hours', 'disk', 'level'])
      await console.call(
        meters.createMeter,
        {
          key,
          name: key,
          unit: key,
          eventType: key,
          aggregation: key === 'level' ? 'percentile' : 'sum',
          ...(key === 'level' && { p: 95, sampleMinutes: 5 }),
          dimensions: ['region'],
        },
        { token },
      );
    const charge = (key: string): Charge => ({
      key,
      name: { zhTW: key, enUS: key },
      kind: 'usage',
      meter: key,
      model: 'per_unit',
      unitPrice: '1',
    });
    const { id } = await console.ok(
      catalogue.createService,
      {
        name: 'Card',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        charges: ['hours', 'disk', 'level'].map(charge),
        quota: { type: 'soft', limit: '100', meter: 'disk' },
      },
      { token },
    );
    const quota = async () =>
      (await console.ok(catalogue.adminGetService, { serviceId: id }, { token })).quota;
    const file = await csv();
    const [head, row] = parse(file, { bom: true });
    expect([head?.at(-2), row?.at(-2)]).toEqual(['Quota meter', 'disk']);
    // Repeating it changes nothing, nor does a file without the column or with an empty cell.
    for (const same of [file, 'name,type,quotaLimit\nCard,VM,100.0', 'name,type,quotaMeter\nCard,VM,'])
      expect(counts((await importCsv(same)).data), same).toEqual([true, 0, 0, 1, 0]);
    expect(counts((await importCsv('name,type,quotaLimit,quotaMeter\nCard,VM,7,hours')).data)).toEqual([
      true,
      0,
      1,
      0,
      0,
    ]);
    expect(await quota()).toMatchObject({ type: 'soft', limit: '7', meter: 'hours', unit: 'hours' });
    const mistakes = async (body: string, language: 'zhTW' | 'enUS' = 'enUS') =>
      (await importCsv(body, {}, language)).data.rows.flatMap(({ errors, row: at }) =>
        errors.map(({ column, code, message }) => [at, column, code, message] as const),
      );
    const unknown =
      'name,type,category,eventType,aggregation,unit,currency,model,unitPrice,quotaType,quotaLimit,quotaMeter';
    expect(await mistakes('name,type,quotaMeter\nCard,VM,traffic')).toEqual([
      [
        2,
        'Quota meter',
        'catalogue.quota_meter_unknown',
        expect.stringContaining('Name the meter of one of its usage charges'),
      ],
    ]);
    expect((await mistakes('name,type,quotaMeter\nCard,VM,traffic', 'zhTW'))[0]?.slice(1)).toEqual([
      '配額計量項目',
      'catalogue.quota_meter_unknown',
      expect.stringContaining('請填入其中一個用量計費項目的計量項目'),
    ]);
    expect((await mistakes('name,type,quotaMeter\nCard,VM,level'))[0]?.slice(0, 3)).toEqual([
      2,
      'Quota meter',
      'catalogue.quota_of_percentile',
    ]);
    // A single price has no meter to name, even when it is new.
    expect(
      (await mistakes(`${unknown}\nNew,A,B,e,sum,GB,TWD,per_unit,1,hard,5,hours`))[0]?.slice(0, 3),
    ).toEqual([2, 'Quota meter', 'catalogue.quota_meter_unknown']);
    expect(await quota()).toMatchObject({ meter: 'hours' });
    // Without a limit the meter would have no use.
    expect(counts((await importCsv('name,type,quotaType,quotaLimit\nCard,VM,unlimited,')).data)).toEqual([
      true,
      0,
      1,
      0,
      0,
    ]);
    expect(await quota()).toEqual({ type: 'unlimited' });
    expect(counts((await importCsv(file)).data)).toEqual([true, 0, 1, 0, 0]);
    expect(await csv()).toBe(file);
  });

  it('finds a service by its external reference, so that its name can change; required for duplicate names', async () => {
    await importCsv(
      'externalRef,name,type,category,eventType,aggregation,unit,currency,model,baseFee\nSKU-1,Same,A,B,e,sum,GB,TWD,flat,1\nSKU-2,Same,A,B,e,sum,GB,TWD,flat,2',
    );
    expect(counts((await importCsv('externalRef,name,type\nSKU-1,Renamed,A')).data)).toEqual([
      true,
      0,
      1,
      0,
      0,
    ]);
    expect(
      (await console.ok(catalogue.adminListServices, {}, { token })).items.map((item) => item.name),
    ).toEqual(['Renamed', 'Same']);
    await importCsv('externalRef,name,type\nSKU-1,Same,A');
    expect((await importCsv('name,type,popular\nSame,A,true')).data.rows[0]?.errors[0]?.code).toBe(
      'catalogue.import_ambiguous',
    );
  });

  it('rejects a file with unknown, repeated or missing columns as a whole', async () => {
    const { data } = await importCsv('name,name,price\nA,B,1', { badRows: 'leaveOut' });
    expect([
      data.applied,
      data.rows.map(({ row, errors }) => [row, errors.map((error) => error.code)]),
    ]).toEqual([
      false,
      [
        [
          1,
          [
            'catalogue.import_column_unknown',
            'catalogue.import_column_twice',
            'catalogue.import_column_missing',
          ],
        ],
      ],
    ]);
  });

  it('rejects files that are not CSV in UTF-8, and files that are too large', async () => {
    expect((await importCsv(new Uint8Array([0xa6, 0x57, 0xba, 0xd9]))).envelope.code).toBe(
      'catalogue.import_no_utf8',
    );
    for (const body of ['name,type\n"open', `name,${'x'.repeat(200_000)}`])
      expect((await importCsv(body)).envelope.code).toBe('catalogue.import_unreadable');
    expect((await importCsv(`name,${','.repeat(200_000)}`)).envelope.code).toBe('catalogue.import_too_wide');
    expect((await importCsv(`name,type\n${'a,b\n'.repeat(5001)}`)).envelope.code).toBe(
      'catalogue.import_too_long',
    );
  });
});
