// What is acknowledged is durable: a console, or its database, that is killed while events pour in loses none of them and counts none twice.
import { expect, it } from 'vitest';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  processApi as api,
  processPassword as password,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

const dataDir = makeDataDir();
// `npm run faults` asks for many more rounds than a run that people wait for.
const rounds = Number.parseInt(process.env['FAULT_ROUNDS'] ?? '3', 10);

/** A customer with a metered subscription, and the gateway's key. */
async function setUp(console: ProcessConsole): Promise<{ key: string; subscriptionId: string }> {
  const admin = await setUpProcess(console);
  const { user } = await api<{ user: { organizationId: string } }>(console, 'POST', '/user/register', {
    email: 'owner@one.example',
    name: 'Owner',
    password,
    organization: 'One',
    agreeToTerms: true,
  });
  const { id: serviceId } = await api(
    console,
    'POST',
    '/admin/services',
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    admin,
  );
  const { id: subscriptionId = '' } = await api(
    console,
    'POST',
    '/admin/subscriptions',
    {
      organizationId: user.organizationId,
      serviceId,
      startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
    },
    admin,
  );
  return {
    key: (await api(console, 'POST', '/admin/api-keys', { name: 'gateway' }, admin))['secret'] ?? '',
    subscriptionId,
  };
}

type Answer = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly unknown[];
};
type Sender = { readonly key: string; readonly subscriptionId: string; readonly time: string };

async function send(
  { address }: ProcessConsole,
  { key, subscriptionId, time }: Sender,
  ids: readonly string[],
): Promise<Answer> {
  const body = JSON.stringify(
    ids.map((id) => ({
      specversion: '1.0',
      id,
      source: '/gateway',
      type: 'call',
      subject: subscriptionId,
      time,
      data: { value: '1' },
    })),
  );
  const response = await fetch(`${address}/api/usage/events`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/cloudevents-batch+json', authorization: `Bearer ${key}` },
  });
  if (response.status !== 202) throw new Error(String(response.status));
  return ((await response.json()) as { data: Answer }).data;
}

it(
  'R-USE-03, F2: killed while events pour in, a console or its database has every acknowledged event, and each once',
  async () => {
    let console = await startProcess(dataDir);
    const sender: Sender = {
      ...(await setUp(console)),
      time: new Date(Date.now() - 3_600_000).toISOString(),
    };
    const sent: string[] = [];
    const acknowledged = new Set<string>();
    const ends = Array.from({ length: Math.max(3, rounds) }, (_, round) =>
      round % 2 === 0 ? killProcess : killItsDatabase,
    );
    for (const [round, end] of ends.entries()) {
      let dying: Promise<void> | undefined;
      // Single events, which are recorded in groups, and batches beside them.
      const callers = Array.from({ length: 12 }, async (_, caller) => {
        const size = caller === 0 ? 250 : 1;
        for (let number = 0; dying === undefined; number++) {
          const ids = Array.from({ length: size }, (_item, index) => `${round}-${caller}-${number}-${index}`);
          sent.push(...ids);
          const answer = await send(console, sender, ids).catch(() => undefined);
          if (answer) for (const id of ids) acknowledged.add(id);
          if (acknowledged.size > (round + 1) * 1500) dying ??= end(console);
        }
      });
      await Promise.all(callers);
      await dying;
      console = await startProcess(dataDir);
      expect(acknowledged.size).toBeGreaterThan((round + 1) * 1500);
      // Whoever got no answer sends again; what was acknowledged is there already.
      const known = [...acknowledged];
      for (let from = 0; from < known.length; from += 1000)
        expect(await send(console, sender, known.slice(from, from + 1000))).toEqual({
          accepted: 0,
          duplicates: Math.min(1000, known.length - from),
          rejected: [],
        });
      const unanswered = sent.filter((id) => !acknowledged.has(id));
      if (unanswered.length > 0) expect((await send(console, sender, unanswered)).rejected).toEqual([]);
      for (const id of unanswered) acknowledged.add(id);
      const { total } = await api<{ total: number }>(
        console,
        'GET',
        `/usage/events?subscriptionId=${sender.subscriptionId}&limit=1`,
        undefined,
        await signIn(console, 'owner@one.example'),
      );
      expect(total).toBe(sent.length);
    }
  },
  180_000 + rounds * 20_000,
);
