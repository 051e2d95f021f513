import { expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

test('writes one JSON object per line, from its level up', () => {
  const { log, lines } = listen('info');
  log.debug('too quiet');
  log.info({ route: 'payBill' }, 'done');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  expect(entry(lines[0])).toMatchObject({ level: 'info', route: 'payBill', msg: 'done', pid: process.pid });
});

test.each([
  'password',
  'newPassword',
  'token',
  'accessToken',
  'refresh_token',
  'secret',
  'clientSecret',
  'authorization',
  'Authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
])('%s never appears, however deep it is nested or who logs it', (key) => {
  const { log, lines } = listen('info');
  log.info({ [key]: 'hunter2' }, 'flat');
  log.info({ request: { headers: [{ [key]: 'hunter2', kept: 'yes' }] } }, 'deep');
  log.info({ [key]: { inside: 'hunter2' } }, 'whole');
  log.child({ [key]: 'hunter2' }).info('bound');
  log
    .child({ request: 'r1' })
    .child({ user: { [key]: 'hunter2' } })
    .info('bound to a child');
  expect(lines).toHaveLength(5);
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('yes');
});

test('an error has its code, stack and cause, but not the row that PostgreSQL quotes', () => {
  const { log, lines } = listen('info');
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(someone@example.com) already exists.',
  });
  log.error({ err: new Error('could not register', { cause }) }, 'failed');
  expect(entry(lines[0])).toMatchObject({
    err: { message: 'could not register', cause: { message: 'duplicate key', code: '23505' } },
  });
  expect(entry(lines[0]).err?.stack).toContain('log.test.ts');
  expect(lines[0]).not.toContain('someone@example.com');
});

test('passwords in addresses are hidden in messages, too; the host stays readable', () => {
  const { log, lines } = listen('info');
  log.info(
    { url: 'postgres://app:hunter2@db.example/skytally' },
    'opening smtps://me:hunter2@mail.example:465',
  );
  expect(lines[0]).not.toContain('hunter2');
  expect(lines[0]).toContain('postgres://app:***@db.example/skytally');
  expect(lines[0]).toContain('smtps://me:***@mail.example:465');
});

test('bigint amounts and circular objects can be logged', () => {
  const { log, lines } = listen('info');
  const loop: Record<string, unknown> = { amount: 9007199254740993n };
  loop['self'] = loop;
  log.info(loop, 'round');
  expect(entry(lines[0])).toMatchObject({ amount: '9007199254740993', msg: 'round' });
});

function listen(level: LogLevel) {
  const lines: string[] = [];
  return { lines, log: createLog({ level, destination: { write: (line) => lines.push(line) } }) };
}

function entry(line: string | undefined): { err?: { stack?: string } } & Record<string, unknown> {
  return JSON.parse(line ?? '');
}
