// The image as a stranger runs it: read-only, without privileges, with the embedded database. Runs only if it
// has been built: docker build --tag skytally . && TEST_IMAGE=skytally npm test -- tests/scale/image.test.ts
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { monthOf } from '#kernel/time.ts';
import { signin } from '#features/access/signin/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { billProofs } from '#features/operations/bill-proofs/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { caller, mustSucceed, setUp, userPassword } from '../support/console.ts';
import { freePort } from '../support/ports.ts';

const image = process.env['TEST_IMAGE'];
const docker = (...words: readonly string[]): string =>
  execFileSync('docker', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

describe.skipIf(image === undefined)('the image', () => {
  let container = '';
  afterAll(() => {
    if (container !== '') docker('rm', '--force', '--volumes', container);
  });

  it(
    'is healthy, issues a bill with its proof, makes a backup, and shuts down cleanly',
    { timeout: 180_000 },
    async () => {
      const port = await freePort();
      const address = `http://127.0.0.1:${port}`;
      container = docker(
        'run',
        '--detach',
        '--read-only',
        '--tmpfs=/tmp',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges:true',
        `--publish=127.0.0.1:${port}:3000`,
        `--env=PUBLIC_URL=${address}`,
        image ?? '',
      );
      const state = (path: string): string => docker('inspect', '--format', `{{.State.${path}}}`, container);
      await expect.poll(() => state('Health.Status'), { timeout: 90_000, interval: 1000 }).toBe('healthy');
      const setupToken = /Set-up .*token=(\S+)/.exec(docker('logs', container))?.[1] ?? '';

      const call = caller(address);
      const ok = mustSucceed(call);
      const admin = await setUp({ ok, setupToken });
      const who = { email: 'owner@one.example', password: userPassword };
      const { user } = await ok(signin.register, {
        ...who,
        name: 'Owner',
        organization: 'One',
        agreeToTerms: true,
      });
      const { token } = await ok(signin.login, { account: who.email, password: who.password });
      const { id: serviceId } = await ok(
        catalogue.createService,
        {
          name: 'Desk',
          type: 'API',
          category: 'Own',
          pricing: { model: 'flat', currency: 'TWD', baseFee: '300' },
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        },
        { token: admin },
      );
      // A month that is over, whatever today is.
      const startedAt = new Date(Date.now() - 31 * 86_400_000);
      const organizationId = user.organizationId as Id<'org'>;
      await ok(subscriptions.adminSubscribe, { organizationId, serviceId, startedAt }, { token: admin });
      const month = monthOf(startedAt, 'Asia/Taipei');
      await ok(billing.closeMonth, { month }, { token: admin });
      const { items } = await ok(billing.listBills, {}, { token });
      const [bill] = items;
      if (bill === undefined) throw new Error('no bill');
      const pdf = await ok(billing.billPdf, { billId: bill.id }, { token });
      expect(
        Buffer.from(pdf.body as Uint8Array)
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const proof = await ok(billProofs.billProof, { billId: bill.id }, { token });
      expect(proof.mediaType).toBe('application/zip');

      expect(docker('exec', container, 'npm', 'run', 'verify')).toContain('The books are right.');
      expect(docker('exec', container, 'npm', 'run', 'backup')).toContain('every row is the same');
      docker('stop', '--time', '60', container);
      expect(state('ExitCode')).toBe('0');
    },
  );
});
