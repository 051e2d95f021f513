// One line on a terminal that says how far a long command is.
import type { BackupProgress, OnProgress } from '#platform/server/backup/backup-manifest.ts';

const words: Readonly<Record<BackupProgress['phase'], string>> = {
  counting: 'counting rows',
  writing: 'writing',
  restoring: 'restoring',
  comparing: 'comparing',
};

/** Says how far it is: on a terminal in one line, elsewhere a line a phase, and nothing where `isQuiet`. */
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
