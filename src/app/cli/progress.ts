// Shows the progress of a long command.
import type { BackupProgress, OnProgress } from '#platform/server/backup/backup-manifest.ts';

const words: Readonly<Record<BackupProgress['phase'], string>> = {
  counting: 'counting rows',
  writing: 'writing',
  restoring: 'restoring',
  comparing: 'comparing',
};

/** Shows progress: updating one line on a terminal, one line per phase elsewhere, nothing when `isQuiet`. */
export function progressLine(isQuiet: boolean): { onProgress: OnProgress; end: () => void } {
  let written = '';
  const { stderr } = process;
  return {
    onProgress: ({ phase, done, total }) => {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
      const line = stderr.isTTY ? `${words[phase]} ${percent} %` : words[phase];
      if (isQuiet || line === written) return;
      written = line;
      stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end: () => {
      if (written !== '' && stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
