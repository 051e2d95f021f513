// Reads the first sheet of an Excel workbook as texts, in a worker thread that is terminated when it takes
// too long or too much memory.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SheetBounds, SheetResult, SheetTask } from './spreadsheet-worker.ts';
import { hasCode } from '../system-error.ts';
import { heapLimits } from '../worker-heap.ts';

/** The file is no workbook, or exceeds the limits; `reason` is for the log. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
}

const longestMs = 10_000;
/**
 * The limit of the worker's heap. The bytes of the file and its parts are outside the heap and have their own
 * limit.
 */
const maxHeapMb = 512;

/**
 * Rows of the first sheet, each up to its last filled cell; empty cells are ''. Returns one row more than
 * `maxRows` when there are more. Throws {@link UnreadableSheet}.
 */
export async function readSheet(file: Uint8Array, bounds: SheetBounds): Promise<string[][]> {
  const task: SheetTask = { file, bounds };
  const worker = new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: heapLimits(maxHeapMb),
  });
  const time = AbortSignal.timeout(longestMs);
  try {
    const [result]: SheetResult[] = await once(worker, 'message', { signal: time });
    if (result && 'rows' in result) return result.rows;
    throw new UnreadableSheet(result?.reason ?? 'no answer');
  } catch (error) {
    if (time.aborted) throw new UnreadableSheet(`takes longer than ${longestMs / 1000} s to read`);
    if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY'))
      throw new UnreadableSheet('takes too much memory to read');
    throw error;
  } finally {
    await worker.terminate();
  }
}
