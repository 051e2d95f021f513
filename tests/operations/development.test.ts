// Only in development mode: simulated sign-in and the adjustable clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { silentLog } from '#platform/server/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { startOn, type RunningConsole } from '#app/server.ts';

let running: RunningConsole;
const dataDir = mkdtempSync(join(tmpdir(), 'skytally-test-'));
beforeAll(async () => {
  const database = await createTestDatabase();
  const development = developmentClock();
  running = await startOn(
    database.connection,
    readConfig({ NODE_ENV: 'development', DATA_DIR: dataDir, PORT: '0' }),
    { log: silentLog(), clock: development, development, webDirectory: Promise.resolve(undefined) },
  );
});
afterAll(async () => {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = async (path: string, body: object, token?: string) => {
  const response = await fetch(`${running.address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { data: Record<string, unknown> }) };
};

describe('development mode (R-SHELL-14)', () => {
  it('moves the clock and resets it', async () => {
    expect((await post('/debug/clock', { now: '2031-01-01T00:00:00Z' })).status).toBe(200);
    expect(running.app.clock.now().getUTCFullYear()).toBe(2031);
    await post('/debug/clock', { now: null });
    expect(running.app.clock.now().getUTCFullYear()).toBeLessThan(2031);
    expect((await post('/debug/clock', { now: 'tomorrow' })).status).toBe(400);
  });

  it('runs a job on request, because schedules do not follow the clock', async () => {
    expect((await post('/debug/jobs', { job: 'tidy' })).status).toBe(200);
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          state: string;
        }>`select state from job.job where name = 'tidy'`.execute(running.app.database.kysely);
        return rows.map(({ state }) => state);
      })
      .toEqual(['completed']);
    expect((await post('/debug/jobs', { job: 'no such job' })).status).toBe(404);
  });

  it('signs in as a user with a given role', async () => {
    await post('/system/initialization', {
      setupToken: running.app.secrets.setupToken,
      basic: {
        name: 'Dev',
        companyPrefix: '',
        currency: 'TWD',
        timeZone: 'Asia/Taipei',
        language: 'zhTW',
        taxRate: '5',
      },
      admin: { account: 'admin@dev.example', name: 'Dev', password: 'a long enough passphrase' },
    });
    const { data } = await post('/debug/sign-in', { role: 'Admin' });
    const profile = await fetch(`${running.address}/api/user/profile`, {
      headers: { authorization: `Bearer ${String(data['token'])}` },
    });
    expect(profile.status).toBe(200);
    expect((await post('/debug/sign-in', { role: 'ReadOnly' })).status).toBe(404);
  });

  it('keeps e-mails in an inbox if there is no SMTP server (R-NOTE-02)', async () => {
    await post('/user/register', {
      email: 'dev@dev.example',
      name: 'Dev',
      password: 'another long passphrase',
      organization: 'Dev',
      agreeToTerms: true,
    });
    const letters = async () =>
      (
        (await (await fetch(`${running.address}/api/debug/mail`)).json()) as {
          data: { letters: { to: string; html: string; text: string; messageId: string }[] };
        }
      ).data.letters;
    await expect.poll(async () => (await letters()).map((letter) => letter.to)).toEqual(['dev@dev.example']);
    const [letter] = await letters();
    expect(letter?.text).toMatch(/http\S+#token=/);
    expect(letter?.html).toContain('<!doctype html>');
    await fetch(`${running.address}/api/debug/mail`, { method: 'DELETE' });
    expect(await letters()).toEqual([]);
  });
});
