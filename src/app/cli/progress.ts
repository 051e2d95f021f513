// One line on a terminal that says how far a long command is.
import type { BackupProgress, OnProgress } from '#platform/server/backup/backup-manifest.ts';

const words: Readonly<Record<BackupProgress['phase'], string>> = {
  counting: 'counting rows',
  writing: 'writing',
  restoring: 'restoring',
  comparing: 'comparing',
};

/** Says how far it is: on a terminal in one line, elsewhere a line a phase, and nothing where `isQuiet`. */
export function progressLine(isQuiet: boolean): { tell: OnProgress; end: () => void } {
  let said = '';
  const { stderr } = process;
  return {
    tell: ({ phase, done, total }) => {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
      const line = stderr.isTTY ? `${words[phase]} ${percent} %` : words[phase];
      if (isQuiet || line === said) return;
      said = line;
      stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end: () => {
      if (said !== '' && stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
