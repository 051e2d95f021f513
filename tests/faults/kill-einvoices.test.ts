// A console that is killed around calls to an e-invoice service: no number is used twice, and each invoice is
// issued exactly once (T-EINV).
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { databaseOfProcesses, runNow, type Query } from '../support/closing.ts';
import { startInvoicesApart, type InvoicesApart } from '../support/einvoices/apart.ts';
import { ecpayInvoiceAccount } from '../support/einvoices/ecpay.ts';
import { roundsOr } from '../support/fault-rounds.ts';
import {
  killProcess,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

// The console is killed in each round: an ordinary run has one, `npm run faults` many.
const rounds = roundsOr(1);
const customers = 6;
const secretKey = 'the-secret-key-of-the-consoles-on-one-database';

let service: InvoicesApart<'ecpay'>;
let db: Query;
let url: string;

const issuedThere = async () => (await service.state()).invoices;

const start = (dataDir: string): Promise<ProcessConsole> =>
  startProcess(dataDir, url, {
    SECRET_KEY: secretKey,
    ECPAY_INVOICE_API_BASE: service.url,
  });

beforeAll(async () => {
  service = await startInvoicesApart('ecpay');
  ({ db, url } = await databaseOfProcesses());
}, 60_000);

/** Customers with a fee since 2010, half of them companies. */
async function makeCustomers(serviceId: string): Promise<void> {
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at, tax_id, billing_address, billing_email)
       select 'org_' || lpad(n::text, 26, '0'), '客戶 ' || n, 'Asia/Taipei', 'zhTW', '2009-12-01', case when n % 2 = 0 then '22099131' else '' end, '臺北市', 'c' || n || '@c.example' from generate_series(1, $1::int) as n`,
    [customers],
  );
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select replace(id, 'org_', 'sub_'), id, $1, 'active', '2009-12-31T16:00:00Z', '2009-12-31T16:00:00Z' from organization where id like 'org_000%'`,
    [serviceId],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription`,
  );
}

it(
  'T-EINV: the console has each invoice of the service exactly once, whenever it was killed',
  async () => {
    const dataDir = makeDataDir();
    let console = await start(dataDir);
    const admin = await setUpProcess(console);
    await api(
      console,
      'PATCH',
      '/admin/settings',
      {
        seller: {
          name: '福爾摩沙雲端',
          taxId: '04595257',
          address: '臺北市信義區',
          email: 'billing@cloud.example',
        },
      },
      admin,
    );
    await api(
      console,
      'PUT',
      '/admin/einvoices/settings',
      {
        provider: 'ecpay',
        ...ecpayInvoiceAccount,
        isStage: false,
        hasB2b: false,
        companies: 'on_issue',
        consumers: 'on_issue',
        consumerHours: 48,
        companyHours: 168,
        warnHours: 12,
        lowPercent: 20,
      },
      admin,
    );
    const { id: serviceId } = await api(
      console,
      'POST',
      '/admin/services',
      {
        name: 'Line',
        type: 'Network',
        category: 'Own',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'none', aggregation: 'count', unit: 'times' },
      },
      admin,
    );
    await makeCustomers(serviceId ?? '');
    for (let round = 0; round < rounds; round++) {
      const month = `${2010 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, '0')}`;
      await api(console, 'POST', '/admin/billing/close', { month }, await signIn(console));
      await runNow(db, 'einvoices');
      // The job starts within a second: the console is killed before it, during its calls, or just after
      // them.
      const before = (await issuedThere()).length;
      for (let waited = 0; waited < 400 && (await issuedThere()).length === before; waited++) await pause(25);
      await pause(randomInt(60));
      await killProcess(console);
      // The work of the killed console becomes free after minutes; the time is moved back here.
      await db.query(`update einvoice set busy_until = null, next_at = least(next_at, now())`);
      console = await start(dataDir);
      await runNow(db, 'einvoices');
      const wanted = (round + 1) * customers;
      for (let waited = 0; waited < 600; waited++) {
        const { rows } = await db.query<{ count: string }>(
          `select count(*) as count from einvoice where sent_at is not null and not is_unsure`,
        );
        if (Number(rows[0]?.count) >= wanted) break;
        await pause(100);
      }
      const issued = await issuedThere();
      const { rows: here } = await db.query<{ number: string; total: string }>(
        `select number, total_minor::text as total from einvoice where sent_at is not null order by number`,
      );
      expect(here.map(({ number, total }) => `${number} ${total}`)).toEqual(
        issued.map(({ number, total }) => `${number} ${total}`).toSorted(),
      );
      expect(here).toHaveLength(wanted);
      expect(new Set(issued.map(({ relate }) => relate)).size).toBe(wanted);
      expect(new Set(here.map(({ number }) => number)).size).toBe(wanted);
    }
    await killProcess(console);
  },
  180_000 + rounds * 60_000,
);
