// The console’s child processes: what they inherit, and that none outlives the console.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAlive } from '#tests/support/fixtures/console-processes.ts';
import { ChildCrashed, startGuarded } from './child-process.ts';

const fixture = (name: string): URL =>
  new URL(`../../../../tests/support/fixtures/${name}.ts`, import.meta.url);

describe('a process for untrusted work', () => {
  it.each(['ends', 'is killed'])('that hangs ends when the console %s', async (how) => {
    const parent = spawn(process.execPath, [fileURLToPath(fixture('hanging-parent'))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line]: Buffer[] = await once(parent.stdout, 'data');
    const pid = Number(line?.toString());
    expect(isAlive(pid)).toBe(true);
    const ended = once(parent, 'exit');
    if (how === 'ends') parent.stdin.write('end\n');
    else parent.kill('SIGKILL');
    await ended;
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it('that hangs is killed at its timeout, and gone when it is closed', async () => {
    const child = startGuarded<string, number>(fixture('hanging-child'), 64);
    const pid = await child.ask('hang', AbortSignal.timeout(10_000));
    await expect(child.ask('again', AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
    await child.close();
    expect(isAlive(pid)).toBe(false);
    await expect(child.ask('again', AbortSignal.timeout(10_000))).rejects.toThrow();
  });

  it('that exceeds its memory crashes alone, and has none of the console’s secrets', async () => {
    process.env['CHILD_SECRET'] = 'secret';
    const child = startGuarded<'environment' | 'memory', string[]>(fixture('greedy-child'), 64);
    try {
      const names = await child.ask('environment', AbortSignal.timeout(10_000));
      expect(names).toContain('NODE_ENV');
      expect(names).not.toContain('CHILD_SECRET');
      expect(names).not.toContain('TEST_DATABASE_URL');
      await expect(child.ask('memory', AbortSignal.timeout(30_000))).rejects.toThrow(ChildCrashed);
    } finally {
      delete process.env['CHILD_SECRET'];
      await child.close();
    }
  });

  it('whose script fails reports why', async () => {
    const child = startGuarded<string, string>(fixture('no-such-file'), 64);
    await expect(child.ask('x', AbortSignal.timeout(10_000))).rejects.toThrow('MODULE_NOT_FOUND');
    await child.close();
  });
});
