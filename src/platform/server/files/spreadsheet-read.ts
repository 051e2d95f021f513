// The first sheet of an Excel workbook as texts. It is read on a thread of its own, which is ended when it takes too much.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SheetBounds, SheetResult, SheetTask } from './spreadsheet-worker.ts';
import { hasCode } from '../system-error.ts';

/** The file is no workbook, or one beyond the bounds; `reason` is for the log. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
}

const longestMs = 10_000;
/** Of the thread's heap. The bytes of the file and of its parts lie outside, and are bounded apart. */
const mostHeapMb = 512;

/**
 * Rows of the first sheet, each up to its last filled cell; empty cells are ''. One row more than `mostRows` is answered when there
 * are more. Throws {@link UnreadableSheet}.
 */
export async function readSheet(file: Uint8Array, bounds: SheetBounds): Promise<string[][]> {
  const task: SheetTask = { file, bounds };
  const worker = new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
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
