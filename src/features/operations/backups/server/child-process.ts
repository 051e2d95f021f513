// Runs a backup in a separate process.
import type { BackupMade, BackupOrder } from '#platform/server/backup/backup-make.ts';
import type { OnProgress } from '#platform/server/backup/backup-manifest.ts';
import { startChild } from '#platform/server/processes/child-process.ts';
import { filesEnvironment } from '#platform/server/config.ts';
import type { BackupWord } from './backup-process.ts';

const script = new URL('./backup-process.ts', import.meta.url);

/** The error of the backup process; `code` is that of the system or the database. */
export class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** Makes a backup in a child process. Aborting kills it; the next backup removes its partial files. */
export function makeInChildProcess(
  order: BackupOrder,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<BackupMade> {
  const { promise, resolve, reject } = Promise.withResolvers<BackupMade>();
  // The process gets no settings and no secrets except those in its order.
  const child = startChild(script, { heapMb: 512, env: filesEnvironment(order.files) });
  // The promise settles only after the process has ended: the caller then removes the files, and the process
  // must not write after that.
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  child.on('message', (word: BackupWord) => {
    if ('progress' in word) onProgress(word.progress);
    else if ('made' in word) resolve(word.made);
    else reject(new BackupFailed(word.failure, word.code));
  });
  child.on('error', (cause) => reject(new Error('the process that makes backups failed', { cause })));
  child.on('exit', (code, by) =>
    reject(
      signal.reason instanceof Error
        ? signal.reason
        : new Error(`the process that makes backups ended (${by ?? code})`),
    ),
  );
  if (signal.aborted) stop();
  else child.send(order);
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
