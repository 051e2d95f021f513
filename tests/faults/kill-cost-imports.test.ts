// A console that is killed while it reads or imports a file keeps the previous version, and imports the file
// once when it is back.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { faultRounds as rounds, isLong } from '../support/fault-rounds.ts';
import { registerOwner } from '../support/process-metering.ts';
import {
  killedAndBack,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

const dataDir = makeDataDir();
type Import = { id: string; state: string; rows: number };
type Source = { id: string; periods: { version: number; sold: { amount: string }[] }[] };

const days = 28;
const services = 100;
/**
 * In an ordinary run the console is killed while it reads the first file, and its database while the second
 * one is imported; with `npm run faults` both in each round.
 */
const dies = (round: number, when: 'reading' | 'importing'): boolean =>
  isLong || (round % 2 === 0) === (when === 'reading');
/** The amount per line, so that the total is known: each round’s file costs one unit more per line. */
function fileOf(round: number): string {
  const lines = [
    'BilledCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,ProviderName,SubAccountId,ServiceName',
  ];
  for (let day = 1; day <= days; day++)
    for (let service = 0; service < services; service++)
      lines.push(
        `${round + 1},USD,2024-09-01,2024-10-01,2024-09-${String(day).padStart(2, '0')},Usage,AWS,1,S${service}`,
      );
  return lines.join('\n');
}

it(
  'T-COST: killed while reading and importing, a console or its database has each version completely or not at all',
  async () => {
    let console = await startProcess(dataDir);
    let token = await setUpProcess(console);
    const organizationId = await registerOwner(console);
    const { serviceId } = await api(
      console,
      'POST',
      '/admin/cost-template',
      { name: 'Cloud', currency: 'USD' },
      token,
    );
    const { id: subscriptionId } = await api(
      console,
      'POST',
      '/admin/subscriptions',
      { organizationId, serviceId, startedAt: '2024-08-31T16:00:00.000Z' },
      token,
    );
    const source = await api<Source>(
      console,
      'POST',
      '/admin/cost-sources',
      {
        name: 'Cloud',
        place: { kind: 'upload' },
        rules: [{ field: 'subAccount', tag: '', value: '1', subscriptionId }],
        selling: { costBasis: 'billed', sellBasis: 'cost', passesCredits: false, markUps: [] },
      },
      token,
    );
    const path = `/admin/cost-sources/${source.id}`;
    for (let round = 0; round < rounds; round++) {
      const response = await fetch(`${console.address}/api${path}/files?name=${round}.csv`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
        body: fileOf(round),
      });
      const { id } = ((await response.json()) as { data: Import }).data;
      const stateNow = async (): Promise<string> =>
        (
          await api<{ items: Import[] }>(console, 'GET', `${path}/imports?limit=50`, undefined, token)
        ).items.find((each) => each.id === id)?.state ?? '';
      const again = async (): Promise<void> => {
        console = await killedAndBack(console, round);
        token = await signIn(console);
      };
      if (dies(round, 'reading')) {
        await pause(Math.random() * 2500);
        await again();
        // Takes over immediately what the killed process was reading, instead of waiting until it counts as
        // dead. Rejected if the new one has already read it.
        if ((await stateNow()) === 'reading')
          await api(console, 'POST', `/admin/cost-imports/${id}/retry`, {}, token).catch(() => undefined);
      }
      while ((await stateNow()) !== 'ready') await pause(100);
      if (dies(round, 'importing')) {
        const applying = api(console, 'POST', `/admin/cost-imports/${id}/apply`, {}, token).catch(
          () => undefined,
        );
        await pause(Math.random() * 400);
        await again();
        await applying;
      }
      // Completely or not at all: the previous version, or this one.
      const [held] = (await api<Source>(console, 'GET', path, undefined, token)).periods;
      const lines = days * services;
      expect([undefined, String(lines * round), String(lines * (round + 1))]).toContain(
        held?.sold[0]?.amount,
      );
      await api(console, 'POST', `/admin/cost-imports/${id}/apply`, {}, token);
      const [now] = (await api<Source>(console, 'GET', path, undefined, token)).periods;
      expect(now).toMatchObject({ version: round + 1, sold: [{ amount: String(lines * (round + 1)) }] });
    }
  },
  rounds * 120_000,
);
