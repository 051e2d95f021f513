// `npm start` as run by a newcomer or a supervisor: the console lives as long as npm does, whoever started
// npm, and shuts down cleanly with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { atFileEnd } from '../support/clean-up.ts';
import { makeDataDir } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it(
    'keeps running after its shell has exited, and shuts down cleanly when npm is stopped',
    { timeout: 120_000 },
    async () => {
      const dataDir = makeDataDir();
      const file = join(dataDir, 'out.txt');
      const out = openSync(file, 'w');
      const log = () => readFileSync(file, 'utf8');
      // A shell that exits immediately, as at logout.
      const shell = spawn('sh', ['-c', 'nohup npm start & echo $! >&3'], {
        cwd: root,
        env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' },
        stdio: ['ignore', out, out, 'pipe'],
        detached: true,
      });
      const output: Buffer[] = [];
      shell.stdio[3]?.on('data', (part: Buffer) => output.push(part));
      await once(shell, 'exit');
      await vi.waitFor(() => expect(log()).toContain('the console is up'), {
        timeout: 90_000,
        interval: 200,
      });
      const npm = Number(Buffer.concat(output).toString());
      const { address, pid } = JSON.parse(
        log()
          .split('\n')
          .find((line) => line.includes('the console is up')) ?? '',
      ) as { address: string; pid: number };
      atFileEnd(() => {
        for (const one of [npm, pid]) if (isThere(one)) process.kill(one, 'SIGKILL');
      });
      // Longer than two checks for the npm process take.
      await pause(1500);
      expect((await fetch(`${address}/health/live`)).status).toBe(200);

      process.kill(npm, 'SIGTERM');
      await vi.waitFor(() => expect(isThere(pid)).toBe(false), { timeout: 20_000, interval: 100 });
      expect(log()).toContain('"msg":"stopping"');
      expect(log()).not.toContain('could not stop in order');
    },
  );
});
