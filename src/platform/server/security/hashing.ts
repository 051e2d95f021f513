// Password hashes (argon2id) in worker threads: two at a time, with a bounded queue, started on demand and
// ended when idle.
import { Worker } from 'node:worker_threads';
import type { HashResult, HashTask } from './hash-worker.ts';

const threads = 2;
const longestQueue = 16;
const idleMs = 30_000;

/** Too many hashes are queued; the caller asks the user to try again later. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

type Waiting = {
  readonly task: HashTask;
  readonly done: (result: HashResult) => void;
  readonly failed: (error: Error) => void;
};
type Thread = { readonly worker: Worker; current: Waiting | undefined };

const pool = new Set<Thread>();
const queue: Waiting[] = [];
let lastId = 0;
let idle: NodeJS.Timeout | undefined;

/** Whether the queue has room for another text. */
export const hashingHasRoom = (): boolean => queue.length < longestQueue;

/** Hashes a text for storage. Throws {@link HashingBusy} when the queue is full. */
export async function hashText(text: string): Promise<string> {
  const { hash } = await enqueue({ text });
  if (hash === undefined) throw new Error('the hashing thread answered without a hash');
  return hash;
}

/** Verifies a text against a stored hash. Throws {@link HashingBusy} when the queue is full. */
export async function verifyText(stored: string, text: string): Promise<boolean> {
  return (await enqueue({ text, stored })).matches === true;
}

async function enqueue(task: Omit<HashTask, 'id'>): Promise<HashResult> {
  if (!hashingHasRoom()) throw new HashingBusy();
  const result = await new Promise<HashResult>((done, failed) => {
    queue.push({ task: { id: ++lastId, ...task }, done, failed });
    next();
  });
  if (result.error !== undefined) throw new Error(`hashing failed: ${result.error}`);
  return result;
}

function next(): void {
  clearTimeout(idle);
  const waiting = queue[0];
  if (waiting) {
    const free =
      [...pool].find((thread) => !thread.current) ?? (pool.size < threads ? startThread() : undefined);
    if (!free) return;
    queue.shift();
    free.current = waiting;
    free.worker.postMessage(waiting.task);
    next();
  } else if ([...pool].every((thread) => !thread.current)) {
    idle = setTimeout(endThreads, idleMs);
    idle.unref();
  }
}

function startThread(): Thread {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { stderr: false });
  worker.unref();
  const thread: Thread = { worker, current: undefined };
  const finish = (act: (waiting: Waiting) => void): void => {
    const waiting = thread.current;
    thread.current = undefined;
    if (waiting) act(waiting);
    next();
  };
  worker.on('message', (result: HashResult) => finish((waiting) => waiting.done(result)));
  const fail = (error: Error): void => {
    pool.delete(thread);
    finish((waiting) => waiting.failed(error));
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the hashing thread ended')));
  pool.add(thread);
  return thread;
}

/** Each thread takes some megabytes, so idle ones are ended. */
function endThreads(): void {
  for (const thread of pool) void thread.worker.terminate();
  pool.clear();
}
