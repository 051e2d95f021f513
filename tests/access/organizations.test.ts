// Organizations: who can join by invitation, who can change whom, and what stays hidden.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kernel/durations.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { isPassword } from '#features/access/identity/server/index.ts';
import { signin } from '#features/access/signin/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';

type Owner = Awaited<ReturnType<typeof registerUser>>;
const start = new Date('2024-10-05T03:00:00Z');
const password = 'nine golden umbrellas';

let console: TestConsole;
let admin: string;
let one: Owner;
let two: Owner;
let mailbox: Mailbox;

const db = () => console.app.database.kysely;
const tokenIn = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
const invite = (email: string, role: 'User' | 'ReadOnly' = 'ReadOnly', by = one) =>
  console.call(identity.invite, { email, role }, { token: by.token });
/** The link in the mail that invites an address. */
async function mailedLink(email: string): Promise<string> {
  const found = () =>
    mailbox.letters.find((letter) => letter.to === email && /\/invitation#/.test(letter.text));
  await expect.poll(found).toBeDefined();
  return /\S+\/invitation#\S+/.exec(found()?.text ?? '')?.[0] ?? '';
}
const accept = (token: string, options: { name?: string; password?: string } = {}) =>
  console.call(identity.acceptInvitation, {
    token,
    name: options.name ?? 'New',
    password: options.password ?? password,
  });
/** A member of organization One, signed in. */
async function member(account: string, role: 'User' | 'ReadOnly'): Promise<{ userId: never; token: string }> {
  const { user } = await console.ok(
    identity.createUser,
    { account, name: account, role, organizationId: one.organizationId as never, password: userPassword },
    { token: admin },
  );
  return { userId: user.id as never, token: await signIn(console, account) };
}
/** A response without the values that differ in each call. */
const comparable = ({
  status,
  envelope: { requestId: _requestId, ...envelope },
}: Awaited<ReturnType<TestConsole['call']>>) => ({ status, envelope });
const auditOf = async (action: string) =>
  (
    await sql<{
      subject: string;
      detail: Record<string, unknown>;
    }>`select subject, detail from audit_log where action = ${action} order by id`.execute(db())
  ).rows;
/** Moves the clock and signs all users in again, because their sessions expire. */
async function moveTo(moment: Date): Promise<void> {
  console.clock.set(moment);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one = { ...one, token: await signIn(console, 'owner@one.example') };
  two = { ...two, token: await signIn(console, 'owner@two.example') };
}

beforeAll(async () => {
  mailbox = await openMailbox();
  console = await createTestConsole(start, { SMTP_URL: mailbox.url });
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
});
afterAll(() => mailbox.close());

describe('invitations (R-AUTH-20)', () => {
  it('create one member with the invited address and role; the link uses the configured host (reliability.md 2.A-19) and signs nobody in', async () => {
    const { status, data } = await console.call(
      identity.invite,
      { email: ' Book@Keeper.example ', role: 'ReadOnly' },
      { token: one.token, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } },
    );
    expect([status, data.mailed, data.invitation.email, data.invitation.role, data.invitation.state]).toEqual(
      [201, true, 'book@keeper.example', 'ReadOnly', 'open'],
    );
    expect(data.link.replace(console.address, '')).toMatch(/^\/invitation#token=[A-Za-z0-9_-]{43}$/);
    const token = tokenIn(await mailedLink('book@keeper.example'));
    expect(token).not.toBe(tokenIn(data.link));
    expect(await console.ok(identity.checkInvitation, { token })).toMatchObject({
      organization: 'One',
      email: 'book@keeper.example',
      role: 'ReadOnly',
      expired: false,
    });

    const response = await fetch(`${console.address}/api/organization/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, name: 'Book Keeper', password }),
    });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([201, null]);
    expect(await response.json()).toMatchObject({
      data: {
        user: {
          account: 'book@keeper.example',
          role: 'ReadOnly',
          organizationId: one.organizationId,
          name: 'Book Keeper',
          status: 'active',
        },
        mustConfirm: false,
      },
    });
    const reader = await signIn(console, 'book@keeper.example', password);
    expect((await console.call(identity.invitations, {}, { token: reader })).status).toBe(403);
    expect((await console.ok(identity.organization, {}, { token: reader })).name).toBe('One');

    for (const again of [await accept(token), await console.call(identity.checkInvitation, { token })])
      expect([again.status, again.envelope.code]).toEqual([404, 'identity.invitation_invalid']);
    expect((await console.ok(identity.invitations, {}, { token: one.token })).items).toEqual([]);
  });

  it('accepted with the link that the inviter was shown need the address confirmed before the first sign-in', async () => {
    const email = 'victim@bank.example';
    const { data } = await invite(email);
    expect((await accept(tokenIn(data.link))).data.mustConfirm).toBe(true);
    const login = () => console.call(signin.login, { account: email, password });
    expect((await login()).envelope.code).toBe('login.incorrect');
    const confirmation = () =>
      mailbox.letters.find((letter) => letter.to === email && /\/verify-email#/.test(letter.text));
    await expect.poll(confirmation).toBeDefined();
    const link = /\S+\/verify-email#\S+/.exec(confirmation()?.text ?? '')?.[0] ?? '';
    await console.ok(signin.verifyEmail, { token: tokenIn(link) });
    expect((await login()).status).toBe(200);
    // The mailed link belongs to the same invitation, which has been used.
    const used = { token: tokenIn(await mailedLink(email)) };
    expect((await console.call(identity.checkInvitation, used)).status).toBe(404);
  });

  it('of an Admin have one link, because Admins create accounts without asking', async () => {
    const made = await console.ok(
      identity.inviteFor,
      { organizationId: one.organizationId as never, email: 'handed@keeper.example', role: 'ReadOnly' },
      { token: admin },
    );
    expect(await mailedLink('handed@keeper.example')).toBe(made.link);
  });

  it('can be accepted by one of five concurrent requests (reliability.md, rule 5)', async () => {
    const token = tokenIn((await invite('race@keeper.example')).data.link);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => accept(token, { name: `Racer ${index}` })),
    );
    expect(answers.map((answer) => answer.status).filter((status) => status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status !== 201).map((answer) => answer.envelope.code)).toEqual(
      Array(4).fill('identity.invitation_invalid'),
    );
  });

  it('stay open after a short password or an unknown field', async () => {
    const token = tokenIn((await invite('short@keeper.example')).data.link);
    expect((await accept(token, { password: 'short' })).envelope).toMatchObject({
      code: 'platform.invalid',
      errors: [{ field: 'password', code: 'identity.password_too_short' }],
    });
    const sneaky = await fetch(`${console.address}/api/organization/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, name: 'x', password, role: 'Admin' }),
    });
    expect(sneaky.status).toBe(400);
    expect((await accept(token)).data.user.role).toBe('ReadOnly');
  });

  it('require the password length of the console’s setting', async () => {
    const token = tokenIn((await invite('long@keeper.example')).data.link);
    await console.ok(administration.updateSettings, { minimumPasswordLength: 30 }, { token: admin });
    expect((await console.ok(identity.checkInvitation, { token })).shortestPassword).toBe(30);
    const refused = await accept(token);
    expect([refused.status, refused.envelope.errors?.map((error) => [error.field, error.code])]).toEqual([
      400,
      [['password', 'identity.password_too_short']],
    ]);
    await console.ok(administration.updateSettings, { minimumPasswordLength: 12 }, { token: admin });
    expect((await accept(token)).status).toBe(201);
  });

  it('R-ADM-03, Taiwan: the seller’s 統一編號 is a setting and must be valid', async () => {
    const seller = {
      name: '福爾摩沙雲端股份有限公司',
      taxId: '04595257',
      address: '臺北市',
      email: 'billing@cloud.example',
    };
    expect(
      (
        await console.call(
          administration.updateSettings,
          { seller: { ...seller, taxId: '12345678' } },
          { token: admin },
        )
      ).envelope,
    ).toMatchObject({ code: 'administration.tax_id_invalid' });
    expect((await console.ok(administration.updateSettings, { seller }, { token: admin })).seller).toEqual(
      seller,
    );
    expect((await console.ok(administration.getSettings, {}, { token: admin })).seller).toEqual(seller);
  });

  it('look the same to the inviter if the address has an account elsewhere; accepting explains what to do and changes nothing', async () => {
    const known = await invite('owner@two.example');
    const unknown = await invite('nobody@nowhere.example');
    const shape = ({ status, data }: typeof known) => ({
      status,
      ...data,
      link: data.link.length,
      invitation: { ...data.invitation, id: data.invitation.id.length, email: '' },
    });
    expect(shape(known)).toEqual(shape(unknown));
    const checks = await Promise.all(
      [known, unknown].map((each) =>
        console.ok(identity.checkInvitation, { token: tokenIn(each.data.link) }),
      ),
    );
    expect({ ...checks[0], email: '' }).toEqual({ ...checks[1], email: '' });

    const before = await isPasswordOf('owner@two.example');
    const refused = await console.call(
      identity.acceptInvitation,
      { token: tokenIn(known.data.link), name: 'Thief', password },
      { language: 'zhTW' },
    );
    expect([refused.status, refused.envelope.code]).toEqual([409, 'identity.invitation_account_taken']);
    expect(refused.envelope.message).toContain('請邀請人改用您的另一個電子郵件邀請');
    expect(await isPasswordOf('owner@two.example')).toEqual(before);
    expect(
      (await console.ok(identity.members, {}, { token: one.token })).items.map((each) => each.account),
    ).not.toContain('owner@two.example');
    // The invitation stays open, because the account may still be moved to another address.
    expect(
      (await console.ok(identity.invitations, {}, { token: one.token })).items.map((each) => each.email),
    ).toContain('owner@two.example');
  });

  it('are rejected for a member of the same organization and while one to the address is open', async () => {
    expect((await invite('book@keeper.example')).envelope.code).toBe('identity.already_member');
    expect((await invite('NOBODY@nowhere.example')).envelope.code).toBe('identity.invitation_open');
    expect(
      (
        await console
          .call(identity.invite, { email: 'a@b.example', role: 'Admin' as never }, { token: one.token })
          .catch(() => ({ status: 400 }))
      ).status,
    ).toBe(400);
  });

  it('get a new link when resent, which invalidates the old one; a withdrawn invitation has no valid link', async () => {
    const { data } = await invite('again@keeper.example');
    const resent = await console.ok(
      identity.resendInvitation,
      { invitationId: data.invitation.id },
      { token: one.token },
    );
    expect(tokenIn(resent.link)).not.toBe(tokenIn(data.link));
    expect((await accept(tokenIn(data.link))).envelope.code).toBe('identity.invitation_invalid');
    expect((await console.call(identity.checkInvitation, { token: tokenIn(resent.link) })).status).toBe(200);
    await console.ok(identity.revokeInvitation, { invitationId: data.invitation.id }, { token: one.token });
    expect((await accept(tokenIn(resent.link))).envelope.code).toBe('identity.invitation_invalid');
    expect(
      (
        await console.call(
          identity.revokeInvitation,
          { invitationId: data.invitation.id },
          { token: one.token },
        )
      ).envelope.code,
    ).toBe('identity.invitation_not_found');
    expect(
      (
        await console.call(
          identity.resendInvitation,
          { invitationId: data.invitation.id },
          { token: one.token },
        )
      ).envelope.code,
    ).toBe('identity.invitation_not_found');
  });

  it('are e-mailed in the organization’s language; a name cannot inject a header (reliability.md 2.D-71)', async () => {
    await console.ok(
      identity.updateOrganization,
      { name: 'One\r\nBcc: evil@evil.example', language: 'enUS' },
      { token: one.token },
    );
    const { data } = await invite('mailed@keeper.example', 'User');
    await expect
      .poll(() => mailbox.letters.find((letter) => letter.to === 'mailed@keeper.example'))
      .toBeDefined();
    const { head = '', text = '' } =
      mailbox.letters.find((letter) => letter.to === 'mailed@keeper.example') ?? {};
    expect(head).toMatch(/^To: mailed@keeper\.example\r?$/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(text).toContain(`${console.address}/invitation#token=`);
    expect(text).not.toContain(data.link);
    expect(text).toContain('invites you to join the organization');
    await console.ok(identity.updateOrganization, { name: 'One', language: 'zhTW' }, { token: one.token });
  });

  it('can be created by an Admin for any organization that exists', async () => {
    const made = await console.ok(
      identity.inviteFor,
      { organizationId: two.organizationId as never, email: 'first@two.example', role: 'User' },
      { token: admin },
    );
    expect(made.invitation).toMatchObject({ email: 'first@two.example', invitedBy: 'Operator' });
    expect(
      (await console.ok(identity.invitations, {}, { token: two.token })).items.map((each) => each.email),
    ).toEqual(['first@two.example']);
    expect(
      (
        await console.call(
          identity.inviteFor,
          { organizationId: 'org_00000000000000000000000000' as never, email: 'x@two.example', role: 'User' },
          { token: admin },
        )
      ).envelope.code,
    ).toBe('identity.organization_not_found');
  });

  it('leave no token in the database or the audit log', async () => {
    const { data } = await invite('secret@keeper.example');
    const token = tokenIn(data.link);
    await accept(token, { name: 'Secret' });
    const { rows } = await sql<{
      text: string;
    }>`select row_to_json(i)::text as text from invitation i union all select row_to_json(a)::text from audit_log a`.execute(
      db(),
    );
    expect(rows.some((row) => row.text.includes(token))).toBe(false);
    expect((await auditOf('identity.invite')).at(-1)?.detail).toEqual({
      email: 'secret@keeper.example',
      role: 'ReadOnly',
      organizationId: one.organizationId,
    });
    expect((await auditOf('identity.acceptInvitation')).at(-1)?.detail).toMatchObject({
      invitationId: data.invitation.id,
      role: 'ReadOnly',
    });
  });

  it('expire after seven days with a clear message, and the address can be invited again', async () => {
    const token = tokenIn((await invite('late@keeper.example')).data.link);
    await moveTo(new Date(start.getTime() + 7 * dayMs - 1000));
    expect((await console.ok(identity.checkInvitation, { token })).expired).toBe(false);
    await moveTo(new Date(start.getTime() + 7 * dayMs));
    expect((await console.ok(identity.checkInvitation, { token })).expired).toBe(true);
    expect((await accept(token)).envelope.code).toBe('identity.invitation_expired');
    expect(
      (await console.ok(identity.invitations, {}, { token: one.token })).items.find(
        (each) => each.email === 'late@keeper.example',
      )?.state,
    ).toBe('expired');
    const again = await invite('late@keeper.example', 'User');
    expect(again.status).toBe(201);
    expect((await accept(token)).envelope.code).toBe('identity.invitation_invalid');
    expect((await accept(tokenIn(again.data.link))).data.user.role).toBe('User');
  });
});

const isPasswordOf = async (account: string) => {
  const { rows } = await sql<{
    password_hash: string;
  }>`select password_hash from app_user where account = ${account}`.execute(db());
  return isPassword(rows[0]?.password_hash, userPassword);
};

describe('members (R-AUTH-20, reliability.md 2.C-51, 2.C-54)', () => {
  it('are listed with role, status and last sign-in, only those of the own organization', async () => {
    const reader = await member('list@one.example', 'ReadOnly');
    const { items } = await console.ok(identity.members, {}, { token: reader.token });
    expect(items.find((each) => each.id === reader.userId)).toMatchObject({
      account: 'list@one.example',
      role: 'ReadOnly',
      status: 'active',
      lastSignInAt: console.clock.now(),
    });
    expect(items.map((each) => each.account)).not.toContain('owner@two.example');
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual([
      'account',
      'createdAt',
      'customRole',
      'id',
      'lastSignInAt',
      'name',
      'role',
      'status',
    ]);
  });

  it('have role and status changed by a User; each change ends their sessions and is in the audit log', async () => {
    const { userId, token } = await member('change@one.example', 'ReadOnly');
    expect(
      await console.ok(identity.updateMember, { userId, role: 'User' }, { token: one.token }),
    ).toMatchObject({ role: 'User' });
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    const second = await signIn(console, 'change@one.example');
    await console.ok(identity.updateMember, { userId, status: 'inactive' }, { token: one.token });
    expect((await console.call(identity.profile, {}, { token: second })).status).toBe(401);
    expect(
      (await console.call(signin.login, { account: 'change@one.example', password: userPassword })).envelope
        .code,
    ).toBe('login.incorrect');
    await console.ok(identity.updateMember, { userId, status: 'active' }, { token: one.token });
    await signIn(console, 'change@one.example');
    expect((await auditOf('identity.updateMember')).map((row) => [row.subject, row.detail['after']])).toEqual(
      [
        [userId, { role: 'User', status: 'active' }],
        [userId, { role: 'User', status: 'inactive' }],
        [userId, { role: 'User', status: 'active' }],
      ],
    );
    // Setting the current value again ends no session.
    const third = await signIn(console, 'change@one.example');
    await console.ok(identity.updateMember, { userId, role: 'User', status: 'active' }, { token: one.token });
    expect((await console.call(identity.profile, {}, { token: third })).status).toBe(200);
    await console.ok(identity.updateMember, { userId, role: 'ReadOnly' }, { token: one.token });
  });

  it('cannot change themselves, become Admin, or be changed by a ReadOnly member', async () => {
    const reader = await member('weak@one.example', 'ReadOnly');
    expect(
      (
        await console.call(
          identity.updateMember,
          { userId: one.userId as never, role: 'ReadOnly' },
          { token: one.token },
        )
      ).envelope.code,
    ).toMatch(/^identity\.(member_self|last_user)$/);
    expect(
      (
        await console.call(
          identity.updateMember,
          { userId: one.userId as never, status: 'inactive' },
          { token: reader.token },
        )
      ).status,
    ).toBe(403);
    const raw = await fetch(`${console.address}/api/organization/members/${String(reader.userId)}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
      body: '{"role":"Admin"}',
    });
    expect(raw.status).toBe(400);
  });

  it('include at least one active User, even when two Users deactivate each other at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const left = await registerUser(console, `left${round}@duel.example`, `Duel ${round}`);
      const made = await console.ok(
        identity.createUser,
        {
          account: `right${round}@duel.example`,
          name: 'Right',
          role: 'User',
          organizationId: left.organizationId as never,
          password: userPassword,
        },
        { token: admin },
      );
      const right = { userId: made.user.id, token: await signIn(console, made.user.account) };
      const answers = await Promise.all([
        console.call(
          identity.updateMember,
          { userId: right.userId, role: 'ReadOnly' },
          { token: left.token },
        ),
        console.call(
          identity.updateMember,
          { userId: left.userId as never, status: 'inactive' },
          { token: right.token },
        ),
      ]);
      expect(
        answers.filter((answer) => answer.status === 200),
        `round ${round}`,
      ).toHaveLength(1);
      const { rows } = await sql<{
        users: bigint;
      }>`select count(*) as users from app_user where organization_id = ${left.organizationId} and role = 'User' and status = 'active'`.execute(
        db(),
      );
      expect(rows[0]?.users).toBe(1n);
    }
  });
});

describe('organization settings', () => {
  it('are logged with old and new values of the changed fields only', async () => {
    await console.ok(
      identity.updateOrganization,
      { taxId: '04595257', billingAddress: 'Taipei', name: 'One' },
      { token: one.token },
    );
    expect((await auditOf('identity.updateOrganization')).at(-1)?.detail).toEqual({
      before: { taxId: '', billingAddress: '' },
      after: { taxId: '04595257', billingAddress: 'Taipei' },
    });
  });

  it('can also be changed by an Admin, but nobody else, and include the tax status (R-ADM-02)', async () => {
    const organizationId = two.organizationId as never;
    const change = (token: string, values: object) =>
      console.call(identity.adminUpdateOrganization, { organizationId, ...values }, { token });
    expect((await change(two.token, { billingAddress: 'Tainan' })).status).toBe(403);
    expect((await change(admin, { taxId: '04595258' })).envelope.errors).toMatchObject([
      { field: 'taxId', code: 'identity.tax_id_invalid' },
    ]);
    expect(
      (await change(admin, { billingAddress: 'Tainan', taxStatus: 'zero' })).envelope.data,
    ).toMatchObject({ billingAddress: 'Tainan', taxStatus: 'zero' });
    expect(await console.ok(identity.organization, {}, { token: two.token })).toMatchObject({
      billingAddress: 'Tainan',
      taxStatus: 'zero',
    });
    expect((await auditOf('identity.adminUpdateOrganization')).at(-1)?.detail).toEqual({
      before: { billingAddress: '', taxStatus: 'standard' },
      after: { billingAddress: 'Tainan', taxStatus: 'zero' },
    });
    expect(
      (
        await console.call(
          identity.adminUpdateOrganization,
          { organizationId: 'org_00000000000000000000000000' as never, name: 'None' },
          { token: admin },
        )
      ).status,
    ).toBe(404);
  });

  it('report all errors at their fields at once, and change nothing', async () => {
    const refused = await console.call(
      identity.updateOrganization,
      { name: 'Changed', taxId: '04595258', timeZone: 'Asia/Nowhere' },
      { token: one.token },
    );
    expect(refused.status).toBe(400);
    expect(refused.envelope.errors?.map((error) => [error.field, error.code])).toEqual([
      ['taxId', 'identity.tax_id_invalid'],
      ['timeZone', 'identity.time_zone_unknown'],
    ]);
    expect(await console.ok(identity.organization, {}, { token: one.token })).toMatchObject({
      name: 'One',
      taxId: '04595257',
    });
  });
});

describe('objects of another organization do not exist (reliability.md 2.C-45)', () => {
  it('in every call with the id of a member, invitation or key', async () => {
    const foreign = {
      userId: two.userId as never,
      invitationId: (await console.ok(identity.invitations, {}, { token: two.token })).items[0]?.id as never,
      keyId: (await console.ok(identity.createOrganizationKey, { name: 'two' }, { token: two.token })).key.id,
    };
    const absent = {
      userId: 'usr_00000000000000000000000000',
      invitationId: 'inv_00000000000000000000000000',
      keyId: 'key_00000000000000000000000000',
    } as never as typeof foreign;
    const tries = (ids: typeof foreign) =>
      Promise.all([
        console.call(identity.updateMember, { userId: ids.userId, status: 'inactive' }, { token: one.token }),
        console.call(identity.resendInvitation, { invitationId: ids.invitationId }, { token: one.token }),
        console.call(identity.revokeInvitation, { invitationId: ids.invitationId }, { token: one.token }),
        console.call(identity.rotateOrganizationKey, { keyId: ids.keyId }, { token: one.token }),
        console.call(identity.revokeOrganizationKey, { keyId: ids.keyId }, { token: one.token }),
      ]);
    const [of, none] = [await tries(foreign), await tries(absent)];
    expect(of.map(comparable)).toEqual(none.map(comparable));
    expect(none.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
    expect((await console.call(identity.profile, {}, { token: two.token })).status).toBe(200);
    expect((await console.ok(identity.invitations, {}, { token: two.token })).items).toHaveLength(1);
    expect((await console.ok(identity.organizationKeys, {}, { token: two.token })).items).toHaveLength(1);
  });
});

describe('sessions (R-AUTH-19, reliability.md 2.B-34)', () => {
  it('can all be ended except the current one', async () => {
    const { userId, token } = await member('devices@one.example', 'ReadOnly');
    const [phone, tablet] = [
      await signIn(console, 'devices@one.example'),
      await signIn(console, 'devices@one.example'),
    ];
    expect(await console.ok(identity.endOtherSessions, {}, { token: phone })).toEqual({ ended: 2 });
    const statuses = await Promise.all(
      [token, phone, tablet].map(
        async (each) => (await console.call(identity.profile, {}, { token: each })).status,
      ),
    );
    expect(statuses).toEqual([401, 200, 401]);
    expect(
      (await console.ok(identity.userSessions, { userId }, { token: admin })).items.map(
        (each) => each.current,
      ),
    ).toEqual([false]);
    expect(await console.ok(identity.endUserSessions, { userId }, { token: admin })).toEqual({ ended: 1 });
    expect((await console.call(identity.profile, {}, { token: phone })).status).toBe(401);
  });

  it('of an Admin can be ended except the current one; an unknown user has none', async () => {
    const { id } = await console.ok(identity.profile, {}, { token: admin });
    await signIn(console, adminAccount.account, adminAccount.password);
    expect(
      (await console.ok(identity.endUserSessions, { userId: id }, { token: admin })).ended,
    ).toBeGreaterThan(0);
    expect((await console.call(identity.profile, {}, { token: admin })).status).toBe(200);
    const nobody = { userId: 'usr_00000000000000000000000000' as never };
    for (const route of [identity.userSessions, identity.endUserSessions])
      expect((await console.call(route, nobody, { token: admin })).envelope.code).toBe(
        'identity.user_not_found',
      );
  });
});
