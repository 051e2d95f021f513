// Reads the first sheet of an Excel workbook as texts, in a process that is killed when it takes too long or
// too much memory.
import { ChildCrashed, startGuarded } from '../processes/child-process.ts';
import type { SheetBounds, SheetResult, SheetTask } from './spreadsheet-process.ts';

/** The file is no workbook, or exceeds the limits; `reason` is for the log. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
}

const longestMs = 10_000;
/**
 * The limit of the process's heap. The bytes of the file and its parts are outside the heap and have their own
 * limit.
 */
const maxHeapMb = 512;

/**
 * Rows of the first sheet, each up to its last filled cell; empty cells are ''. Returns one row more than
 * `maxRows` when there are more. Throws {@link UnreadableSheet}.
 */
export async function readSheet(file: Uint8Array, bounds: SheetBounds): Promise<string[][]> {
  const reader = startGuarded<SheetTask, SheetResult>(
    new URL('./spreadsheet-process.ts', import.meta.url),
    maxHeapMb,
  );
  const time = AbortSignal.timeout(longestMs);
  try {
    const result = await reader.ask({ file, bounds }, time);
    if ('rows' in result) return result.rows;
    throw new UnreadableSheet(result.reason);
  } catch (error) {
    if (time.aborted) throw new UnreadableSheet(`takes longer than ${longestMs / 1000} s to read`);
    if (error instanceof ChildCrashed) throw new UnreadableSheet('takes too much memory to read');
    throw error;
  } finally {
    await reader.close();
  }
}
