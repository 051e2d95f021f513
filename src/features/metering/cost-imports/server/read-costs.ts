// Reads the files of an import in a separate process, so that the console stays responsive and a hostile file
// can only crash that process.
import { ChildCrashed, startGuarded } from '#platform/server/processes/child-process.ts';
import type { ReadBounds, ReadMessage, ReadMistake, ReadTask } from './read-task.ts';

export const readBounds: ReadBounds = {
  maxBytes: 4 * 1024 * 1024 * 1024,
  maxRows: 20_000_000,
  maxLines: 500_000,
};
const longestMs = 30 * 60_000;
const maxHeapMb = 1024;

/** Thrown for files that cannot be read, with the position. */
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
 * Reads files and passes on their aggregated lines in messages; the next one is built once `take` has
 * settled. An error thrown by `take` ends the reading.
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
  const reader = startGuarded<ReadTask | 'next', ReadMessage>(
    new URL('./read-process.ts', import.meta.url),
    maxHeapMb,
  );
  try {
    let message = await reader.ask(task, stop);
    for (;;) {
      if (message.kind === 'mistake') throw new CostsUnreadable(message.mistake);
      await take(message);
      if (message.kind === 'end') return;
      stop.throwIfAborted();
      message = await reader.ask('next', stop);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (time.aborted) throw whole('too_slow');
    if (error instanceof ChildCrashed) throw whole('too_large_memory');
    throw error;
  } finally {
    await reader.close();
  }
}
