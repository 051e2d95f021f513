// The catalog as a file in version control: nothing changes unreviewed, and a repeat changes nothing
// (R-CAT-01).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { runCli } from '../support/cli.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
const cli = (...words: string[]) => runCli(console, ...words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await cli(...words, '--json')).out);

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
});

describe('the catalog as a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'skytally-catalogue-'));
  const path = join(dir, 'catalogue.yaml');
  const yaml = `skytallyCatalogue: 1
services:
  - ref: workspace
    name: Workspace
    type: Software
    category: Own
    currency: USD
    charges:
      - key: seats
        name: { zhTW: 席次, enUS: Seats }
        kind: recurring
        model: per_unit
        # Figures may stand without quotes: no digit is lost.
        unitPrice: 12.50
        taxCategory: saas
  - ref: calls
    name: Calls
    type: API
    category: Own
    trialDays: 14
    pricing: { model: per_unit, currency: USD, unitPrice: 0.000000400 }
    meter: { eventType: api.call, aggregation: count, unit: calls }
`;
  const planId = async (): Promise<string> =>
    ((await json('catalogue', 'plan', path)) as { planId: string }).planId;
  atFileEnd(() => rmSync(dir, { recursive: true }));

  it('is planned, applied exactly as planned, and a repeat changes nothing', async () => {
    writeFileSync(path, yaml);
    const plan = await cli('catalogue', 'plan', path);
    expect(plan.code).toBe(0);
    expect(plan.out).toMatch(/^Plan \w+: 2 to create, 0 to update, 0 unchanged, 0 not in the file/);
    expect(plan.out).toContain('+ Workspace (workspace)');
    expect((await cli('catalogue', 'apply', path)).code).toBe(1);
    expect((await cli('catalogue', 'apply', path, '--plan', '0123')).err).toContain('Make a new plan');
    const first = await planId();
    expect((await cli('catalogue', 'apply', path, '--plan', first)).out).toBe(
      'Applied: 2 created, 0 updated, 0 unchanged.\n',
    );
    expect(await json('catalogue', 'plan', path)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    // The plan was applied: the catalog has changed.
    expect((await cli('catalogue', 'apply', path, '--plan', first)).code).toBe(2);
    const { items } = await console.ok(catalogue.adminListServices, {}, { token: admin });
    expect(items.map(({ name, charges }) => [name, charges.map(({ key }) => key)])).toEqual([
      ['Calls', ['usage']],
      ['Workspace', ['seats']],
    ]);
    expect(items[0]?.pricing).toMatchObject({ unitPrice: '0.000000400' });
  });

  it('shows a change charge by charge, and is rejected if the catalog has changed meanwhile', async () => {
    writeFileSync(path, yaml.replace('12.50', '13').replace('trialDays: 14', 'trialDays: 7'));
    const { out } = await cli('catalogue', 'plan', path);
    expect(out).toContain('~ Workspace (workspace)');
    expect(out).toMatch(/ {4}charges\.seats: .*"unitPrice":"12\.5".* -> .*"unitPrice":"13"/);
    expect(out).toContain('trialDays: 14 -> 7');
    const currentPlan = await planId();
    const { items } = await console.ok(catalogue.adminListServices, { q: 'Calls' }, { token: admin });
    await console.ok(
      catalogue.updateService,
      { serviceId: items[0]!.id, description: 'Changed meanwhile' },
      { token: admin },
    );
    expect((await cli('catalogue', 'apply', path, '--plan', currentPlan)).code).toBe(2);
    console.clock.advance(60_000);
    expect((await cli('catalogue', 'apply', path, '--plan', await planId())).code).toBe(0);
    const again = (await json('catalogue', 'export')) as { services: { ref: string }[] };
    expect(again.services).toMatchObject([
      { ref: 'calls', trialDays: 7 },
      { ref: 'workspace', charges: [{ key: 'seats', unitPrice: '13', taxCategory: 'saas' }] },
    ]);
    // An exported catalog plans no change.
    const exported = join(dir, 'exported.json');
    await cli('catalogue', 'export', exported);
    expect(await json('catalogue', 'plan', exported)).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it('names the invalid field, and changes nothing', async () => {
    writeFileSync(path, yaml.replace('model: per_unit\n', 'model: guess\n'));
    expect((await cli('catalogue', 'plan', path)).err).toContain('file.services.0.charges.0');
    writeFileSync(path, yaml.replace('key: seats', 'key: seats\n        minimum: 5\n        maximum: 4'));
    expect((await cli('catalogue', 'plan', path)).err).toContain('file.services.0.charges.0.maximum');
    writeFileSync(path, yaml.replace('api.call', 'api.other'));
    expect((await cli('catalogue', 'plan', path)).err).toContain('file.services.1.meter');
    writeFileSync(path, 'services: [');
    expect((await cli('catalogue', 'plan', path)).err).toContain('is no YAML');
  });
});

describe('meters in the catalog file', () => {
  it('are created before services whose charges name them, and never changed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'skytally-catalogue-'));
    atFileEnd(() => rmSync(dir, { recursive: true }));
    const path = join(dir, 'catalogue.yaml');
    const yaml = `skytallyCatalogue: 1
meters:
  - { key: traffic, name: Traffic, eventType: net.out, aggregation: sum, unit: GB }
services:
  - ref: server
    name: Server
    type: Compute
    category: Own
    currency: USD
    charges:
      - key: traffic
        name: { zhTW: 流量, enUS: Traffic }
        kind: usage
        meter: traffic
        model: per_unit
        unitPrice: 0.09
`;
    writeFileSync(path, yaml);
    const plan = await cli('catalogue', 'plan', path);
    expect(plan.out).toContain('+ meter Traffic (traffic)');
    const planned = (await json('catalogue', 'plan', path)) as { planId: string };
    expect((await cli('catalogue', 'apply', path, '--plan', planned.planId)).code).toBe(0);
    expect((await cli('catalogue', 'plan', path)).out).toContain('Nothing to do.');
    const exported = join(dir, 'exported.yaml');
    await cli('catalogue', 'export', exported);
    expect((await cli('catalogue', 'plan', exported)).out).toContain('Nothing to do.');
    writeFileSync(path, yaml.replace('aggregation: sum', 'aggregation: max'));
    expect((await cli('catalogue', 'plan', path)).err).toContain('file.meters.0.key');
    writeFileSync(path, yaml.replace('meter: traffic', 'meter: other').replace('ref: server', 'ref: other'));
    expect((await cli('catalogue', 'plan', path)).err).toContain('file.services.0.charges.0.meter');
  });
});
