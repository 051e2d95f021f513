// Password hashes (argon2id) in worker threads: two at a time, with a bounded queue, started on demand and
// ended when idle.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { HashResult, HashTask } from './hash-worker.ts';

const threads = 2;
const longestQueue = 16;
const idleMs = 30_000;

/** Too many hashes are queued; the caller asks the user to try again later. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

const turns = pLimit(threads);
/** The threads that have nothing to do. */
const resting = new Set<Worker>();
let idle: NodeJS.Timeout | undefined;

/** Whether the queue has room for another text. */
export const hashingHasRoom = (): boolean => turns.pendingCount < longestQueue;

/** Hashes a text for storage. Throws {@link HashingBusy} when the queue is full. */
export async function hashText(text: string): Promise<string> {
  const result = await enqueue({ text });
  if ('hash' in result) return result.hash;
  throw new Error('the hashing thread answered without a hash');
}

/** Verifies a text against a stored hash. Throws {@link HashingBusy} when the queue is full. */
export async function verifyText(stored: string, text: string): Promise<boolean> {
  const result = await enqueue({ text, stored });
  return 'matches' in result && result.matches;
}

async function enqueue(task: HashTask): Promise<HashResult> {
  if (!hashingHasRoom()) throw new HashingBusy();
  const result = await turns(inThread, task);
  if ('error' in result) throw new Error(`hashing failed: ${result.error}`);
  return result;
}

async function inThread(task: HashTask): Promise<HashResult> {
  clearTimeout(idle);
  const worker = [...resting][0] ?? startThread();
  resting.delete(worker);
  worker.postMessage(task);
  try {
    // Rejects when the thread fails, which ends it.
    const [result]: HashResult[] = await once(worker, 'message');
    if (result === undefined) throw new Error('the hashing thread answered nothing');
    resting.add(worker);
    return result;
  } finally {
    idle = setTimeout(endThreads, idleMs).unref();
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { stderr: false });
  worker.unref();
  worker.on('error', () => resting.delete(worker));
  return worker;
}

/** Each thread takes some megabytes, so idle ones are ended. */
function endThreads(): void {
  for (const worker of resting) void worker.terminate();
  resting.clear();
}
