// Reads the first sheet of an Excel workbook as texts, in a process that is killed when it takes too long or
// too much memory.
import { ChildCrashed, ChildTooSlow, reusableProcess } from '../processes/child-process.ts';
import type { SheetBounds, SheetResult, SheetTask } from './spreadsheet-process.ts';

/** The file is not a workbook, or exceeds the limits; `reason` is for the log. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
}

const longestMs = 10_000;
/** The heap limit of the process. The bytes of the file and its parts are outside the heap and have their own limit. */
const maxHeapMb = 512;

/**
 * The rows of the first sheet, each up to its last filled cell; empty cells are ''. Returns `maxRows` + 1
 * rows when there are more. Throws {@link UnreadableSheet}.
 */
export async function readSheet(file: Uint8Array, bounds: SheetBounds): Promise<string[][]> {
  const reader = reusableProcess<SheetTask, SheetResult>(
    new URL('./spreadsheet-process.ts', import.meta.url),
    { heapMb: maxHeapMb, longestMs },
  );
  try {
    const result = await reader.ask({ file, bounds });
    if ('rows' in result) return result.rows;
    throw new UnreadableSheet(result.reason);
  } catch (error) {
    if (error instanceof ChildTooSlow)
      throw new UnreadableSheet(`takes longer than ${longestMs / 1000} s to read`);
    if (error instanceof ChildCrashed) throw new UnreadableSheet('takes too much memory to read');
    throw error;
  } finally {
    await reader.close();
  }
}
