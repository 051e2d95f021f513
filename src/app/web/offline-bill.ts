// The last bill, stored on this device for when the console cannot be reached, as texts that
// public/offline.js displays. The service worker responds with that page only if its files were cached here.

const cacheName = 'offline-bill';
const workerAddress = '/push-worker.js';
const pageFiles = ['/offline.html', '/offline.css', '/offline.js'];

/** A bill as displayed offline, in its reader's language. */
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

/** Whether this browser can store bills: it requires a secure context. */
export const canKeepBills = (): boolean => 'caches' in window && 'serviceWorker' in navigator;

/** Stores a bill, replacing the previous one. */
export async function keepOfflineBill(bill: OfflineBill): Promise<void> {
  await navigator.serviceWorker.register(workerAddress);
  const cache = await caches.open(cacheName);
  await cache.addAll(pageFiles);
  await cache.put(
    '/offline-bill.json',
    new Response(JSON.stringify(bill), { headers: { 'content-type': 'application/json' } }),
  );
}

/** Deletes the stored bill. */
export async function forgetOfflineBill(): Promise<void> {
  if (canKeepBills()) await caches.delete(cacheName);
}
