import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { SignedIn } from '../contract.ts';
import { askSession } from './ask-session.ts';

const user = {
  id: `usr_${'0'.repeat(26)}`,
  account: 'an@cloud.example',
  name: 'An',
  phone: '',
  address: '',
  avatar: null,
  role: 'User',
  status: 'active',
  customRole: null,
  organizationId: null,
  organization: null,
  memberLevel: '',
  language: 'zhTW',
  timeZone: 'Asia/Taipei',
  twoFactor: false,
  emailNotifications: true,
  smsNotifications: false,
  registeredOn: '2026-11-01',
  createdAt: '2026-11-01T00:00:00.000Z',
  lastSignInAt: null,
  erasedAfter: null,
};
const wire = {
  user,
  token: 'a.b.c',
  expiresAt: '2026-11-24T01:02:03.000Z',
  mustEnrol: false,
  idleMinutes: null,
};
const answer = (body: object, status = 200) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(Response.json(body, { status }))),
  );
afterEach(() => vi.unstubAllGlobals());

it('reads the session of the contract', async () => {
  answer({ data: wire, isSuccess: true, message: 'Success' });
  const {
    token,
    expiresAt,
    mustEnrol,
    user: { id, account, name },
  } = z.decode(SignedIn, z.parse(z.any(), wire));
  expect(await askSession()).toMatchObject({ token, expiresAt, mustEnrol, user: { id, account, name } });
});

it('returns null when the session is over, and throws for any other response', async () => {
  answer({ data: null, isSuccess: false, message: 'Over', code: 'platform.signed_out' }, 401);
  expect(await askSession()).toBeNull();
  answer({ data: { token: 'a' }, isSuccess: true, message: 'Success' });
  await expect(askSession()).rejects.toMatchObject({ code: 'connection.unreadable' });
});
