// The backup process: it runs beside the console with the lowest CPU priority.
import { constants, setPriority } from 'node:os';
import {
  BackupBusy,
  makeBackup,
  type BackupMade,
  type BackupOrder,
} from '#platform/server/backup/backup-make.ts';
import type { BackupProgress } from '#platform/server/backup/backup-manifest.ts';
import { endWithConsole } from '#platform/server/processes/child-side.ts';
import { StartRefused } from '#platform/server/start-refused.ts';

/** The messages of the process: its progress, and finally its result. */
export type BackupWord =
  | { readonly progress: BackupProgress }
  | { readonly made: BackupMade }
  | { readonly failure: string; readonly code: string | undefined };

async function execute(order: BackupOrder): Promise<BackupWord> {
  try {
    return {
      made: await makeBackup(
        order,
        (progress) => process.send?.({ progress } satisfies BackupWord),
        new AbortController().signal,
      ),
    };
  } catch (error) {
    const code =
      error instanceof BackupBusy
        ? 'BUSY'
        : error instanceof StartRefused
          ? 'REFUSED'
          : error instanceof Error && 'code' in error
            ? String(error.code)
            : undefined;
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), code };
  }
}

setPriority(constants.priority.PRIORITY_LOW);
process.on('message', (order: BackupOrder) => {
  void execute(order).then((word) => process.send?.(word, undefined, undefined, () => process.disconnect()));
});
// This process ends with the console; the next backup removes its partial files.
endWithConsole();
