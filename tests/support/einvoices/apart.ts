// A simulated e-invoice service in another process, which survives when a test kills its console.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { atFileEnd } from '../clean-up.ts';
import type { FakeEcpayInvoices } from './ecpay.ts';
import type { FakeEzpayInvoices } from './ezpay.ts';
import type { Lie } from './fake-service.ts';

type Fakes = { readonly ecpay: FakeEcpayInvoices; readonly ezpay: FakeEzpayInvoices };

export type InvoicesApart<Name extends keyof Fakes> = {
  readonly url: string;
  /** Its current content. */
  readonly state: () => Promise<ReturnType<Fakes[Name]['state']>>;
  /** Returns a false response once, to the next request whose path contains `on`. */
  readonly lie: (lie: Lie, on?: string) => Promise<void>;
};

/** Starts it for the calling test file. Throws when it does not start. */
export async function startInvoicesApart<Name extends keyof Fakes>(name: Name): Promise<InvoicesApart<Name>> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../fixtures/einvoice-service.ts'), name],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  for await (const url of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return {
      url,
      state: async () => (await (await fetch(`${url}/__state`)).json()) as ReturnType<Fakes[Name]['state']>,
      lie: async (lie, on = '') => {
        await fetch(`${url}/__lie`, { method: 'POST', body: JSON.stringify({ lie, on }) });
      },
    };
  }
  throw new Error('the simulated service did not start');
}
