// Reads the files of an import in a thread of its own, so that the console stays responsive and a hostile file ends with its thread.
import { Worker } from 'node:worker_threads';
import { heapLimits } from '#platform/server/worker-heap.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { ReadBounds, ReadMessage, ReadMistake, ReadTask } from './read-task.ts';

export const readBounds: ReadBounds = {
  maxBytes: 4 * 1024 * 1024 * 1024,
  maxRows: 20_000_000,
  maxLines: 500_000,
};
const longestMs = 30 * 60_000;
const maxHeapMb = 1024;

/** Files that cannot be read, and where. */
export class CostsUnreadable extends Error {
  override readonly name = 'CostsUnreadable';
  readonly mistake: ReadMistake;

  constructor(mistake: ReadMistake) {
    super(mistake.rule);
    this.mistake = mistake;
  }
}
const whole = (rule: string): CostsUnreadable =>
  new CostsUnreadable({ rule, params: {}, row: null, column: null });

/**
 * Reads files and hands over what they add up to, one message after the other; the next is made when `take` has settled. What `take` throws
 * ends the reading.
 * @throws CostsUnreadable with the row and column; the signal's reason
 */
export async function readCosts(
  { files, assumedCurrency }: Pick<ReadTask, 'files' | 'assumedCurrency'>,
  take: (message: Exclude<ReadMessage, { kind: 'mistake' }>) => Promise<void>,
  signal: AbortSignal,
  bounds: ReadBounds = readBounds,
): Promise<void> {
  const task: ReadTask = { files, bounds, assumedCurrency };
  const time = AbortSignal.timeout(longestMs);
  const stop = AbortSignal.any([signal, time]);
  stop.throwIfAborted();
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: heapLimits(maxHeapMb),
  });
  try {
    await new Promise<void>((resolve, reject) => {
      stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true });
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended before the file')));
      const next = async (message: ReadMessage): Promise<void> => {
        if (message.kind === 'mistake') return reject(new CostsUnreadable(message.mistake));
        await take(message);
        if (message.kind === 'end') resolve();
        else worker.postMessage('next');
      };
      worker.on('message', (message: ReadMessage) => void next(message).catch(reject));
    });
  } catch (error) {
    signal.throwIfAborted();
    if (time.aborted) throw whole('too_slow');
    if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) throw whole('too_large_memory');
    throw error;
  } finally {
    await worker.terminate();
  }
}
