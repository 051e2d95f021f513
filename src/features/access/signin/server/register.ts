// Registration: creates a person together with their organization. The answer does not reveal whether the
// e-mail was known.
import { contentLanguageOf } from '#kernel/language.ts';
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { dayOf } from '#kernel/time.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import type { User } from '#features/access/identity/contract.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import {
  brandsOfUsers,
  checkPassword,
  hashPassword,
  insertOrganization,
  insertUser,
  isPassword,
  assertHashingHasRoom,
  timeZoneSetting,
  updateUserRow,
  userToSignIn,
} from '#features/access/identity/server/index.ts';
import type { signin } from '../contract.ts';
import { accountDigest, beginAttempt } from './attempts.ts';
import { assertNotBoundToCompany } from './company.ts';
import { mail, mailLink } from './links.ts';
import { beginTrial, endTrial, gateOf, insertUnverified, voidLinks } from './store-accounts.ts';
import { unit } from './unit.ts';

type Input = In<typeof signin.register>;
type Wanted = {
  readonly input: Input;
  readonly account: string;
  readonly passwordHash: string;
  readonly timeZone: string;
};
type Ids = { readonly userId: Id<'usr'>; readonly organizationId: Id<'org'> };

/**
 * Registers a person with a new organization (R-AUTH-20). A known e-mail takes the same steps and gets the
 * same answer.
 */
export async function register(ctx: Ctx, input: Input, reply: Reply): Promise<Out<typeof signin.register>> {
  assertHashingHasRoom();
  await beginAttempt(ctx.app, { address: reply.address, isCharged: true });
  const account = normalAccount(input.email);
  await assertNotBoundToCompany(ctx, account, 'email');
  await checkPassword(ctx, input.password, { account, name: input.name, organization: input.organization });
  const wanted: Wanted = {
    input,
    account,
    passwordHash: await hashPassword(input.password),
    timeZone: await ctx.setting(timeZoneSetting),
  };
  const known = await userToSignIn(ctx.db, account);
  const isSame = await isPassword(known?.passwordHash, input.password);
  return unit(ctx, async (own) => {
    const made = await addAccount(own, wanted);
    if (made) await sendWelcome(own, made, wanted);
    else await mailOwner(own, account, isSame);
    const ids = made ?? { userId: own.newId('usr'), organizationId: own.newId('org') };
    return { user: viewOf(own, ids, wanted) };
  });
}

/** Adds organization and person; undefined, with nothing added, when the account is taken. */
async function addAccount(
  own: Ctx,
  { input, account, passwordHash, timeZone }: Wanted,
): Promise<Ids | undefined> {
  await beginTrial(own);
  const organization = await insertOrganization(own, {
    name: input.organization,
    timeZone,
    language: contentLanguageOf(own.language),
    externalRef: null,
  });
  const userId = await insertUser(own, {
    account,
    name: input.name,
    phone: input.phone ?? '',
    role: 'User',
    organizationId: organization.id,
    passwordHash,
    language: own.language,
  });
  await endTrial(own, userId !== undefined);
  return userId && { userId, organizationId: organization.id };
}

async function sendWelcome(own: Ctx, { userId, organizationId }: Ids, { account }: Wanted): Promise<void> {
  const confirms = hasMail(own.app.config);
  await insertUnverified(own, userId, confirms);
  if (confirms) await mailLink(own, { id: userId, account, language: own.language }, 'verify');
  own.audit('signin.register', userId, { organizationId });
}

/**
 * Notifies the owner of an account that somebody registered with its e-mail. An account with an unconfirmed
 * e-mail belongs to whoever reads the mailbox: if the new password differs from the first, neither works any
 * more, and the mail asks to choose one.
 */
async function mailOwner(own: Ctx, account: string, isSame: boolean): Promise<void> {
  own.audit('signin.register_known', `account:${accountDigest(account)}`);
  const found = await userToSignIn(own.db, account);
  if (!found || !hasMail(own.app.config) || found.user.status !== 'active') return;
  const { user } = found;
  const { mustVerify } = await gateOf(own.db, user.id);
  if (!mustVerify) {
    const hour = Math.floor(own.now.getTime() / hourMs);
    const { address } = (await brandsOfUsers(own, [user.id]))(user.id);
    await mail(own, user, `signin.register_known:${user.id}:${hour}`, 'signin.mail_known_subject', [
      ['signin.mail_known', { address }],
      ['signin.mail_known_ignore'],
    ]);
  } else if (isSame) await mailLink(own, user, 'verify');
  else {
    await updateUserRow(own, user.id, { password_hash: null });
    await voidLinks(own, user.id);
    await mailLink(own, user, 'reset');
  }
}

/**
 * The user as registered, built only from the input, so that the answer for a known e-mail reveals nothing
 * about its owner.
 */
const viewOf = (own: Ctx, { userId, organizationId }: Ids, { input, account, timeZone }: Wanted): User => ({
  id: userId,
  account,
  name: input.name,
  phone: input.phone ?? '',
  address: '',
  avatar: null,
  customRole: null,
  role: 'User',
  status: 'active',
  organizationId,
  organization: input.organization,
  memberLevel: 'standard',
  language: own.language,
  timeZone,
  twoFactor: false,
  emailNotifications: true,
  smsNotifications: false,
  registeredOn: dayOf(own.now, timeZone),
  createdAt: own.now,
  lastSignInAt: null,
  erasedAfter: null,
});
