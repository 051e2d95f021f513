// The last bill, kept on this device for when the console cannot be reached: as words, which public/offline.js shows. The worker answers with
// that page only where its files were put away here.

const cacheName = 'offline-bill';
const workerAddress = '/push-worker.js';
const pageFiles = ['/offline.html', '/offline.css', '/offline.js'];

/** A bill as it is shown offline, in its reader's language. */
export type OfflineBill = {
  /** A language tag. */
  readonly language: string;
  readonly title: string;
  readonly number: string;
  readonly total: string;
  readonly facts: readonly string[];
  readonly lines: readonly (readonly [name: string, amount: string])[];
  readonly keptAt: string;
};

/** Whether this browser can keep anything: it does for secure pages. */
export const canKeepBills = (): boolean => 'caches' in window && 'serviceWorker' in navigator;

/** Keeps a bill, in place of the one before. */
export async function keepOfflineBill(bill: OfflineBill): Promise<void> {
  await navigator.serviceWorker.register(workerAddress);
  const cache = await caches.open(cacheName);
  await cache.addAll(pageFiles);
  await cache.put(
    '/offline-bill.json',
    new Response(JSON.stringify(bill), { headers: { 'content-type': 'application/json' } }),
  );
}

/** Deletes what is kept. */
export async function forgetOfflineBill(): Promise<void> {
  if (canKeepBills()) await caches.delete(cacheName);
}
