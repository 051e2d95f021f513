// What an operator does with users on the command line: list, create, deactivate and reactivate them, and
// restore an Admin's access.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { identity, type User } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { sessionPolicies } from '#features/access/session-policies/contract.ts';
import { callVerb } from './call.ts';
import { approvals } from '#features/access/approvals/contract.ts';
import { CommandRefused } from './command-refused.ts';

async function requireUser(app: App, account: string): Promise<User> {
  const wanted = account.trim().toLowerCase();
  const { items } = await callVerb(app, identity.listUsers, { q: wanted, limit: '200' });
  const found = items.find((user) => user.account === wanted);
  if (!found)
    throw new CommandRefused(`Nobody has the account ${account}. Look with: npm run cli -- users list`);
  return found;
}

/** The fields of a user that commands print. */
const shown = ({ id, account, name, role, status, organization }: User) => ({
  id,
  account,
  name,
  role,
  status,
  organization,
});
export type ShownUser = ReturnType<typeof shown>;

/** All users whose account or name contains `q`, from all pages. */
export async function listPeople(app: App, q: string | undefined): Promise<ShownUser[]> {
  const people: ShownUser[] = [];
  const filter = { limit: '200', sort: 'account', ...(q !== undefined && { q }) };
  let page = await callVerb(app, identity.listUsers, filter);
  for (;;) {
    people.push(...page.items.map(shown));
    if (page.nextCursor === null) return people;
    page = await callVerb(app, identity.listUsers, { ...filter, cursor: page.nextCursor });
  }
}

export type NewPerson = {
  readonly account: string;
  readonly name: string;
  readonly role: User['role'];
  /** As typed; the contract of the call checks it. */
  readonly organizationId?: NonNullable<User['organizationId']>;
};

/** Creates a user with a generated password, which is returned once. */
export async function makePerson(
  app: App,
  { account, name, role, organizationId }: NewPerson,
): Promise<ShownUser & { password: string | null }> {
  const { user, password } = await callVerb(app, identity.createUser, {
    account,
    name,
    role,
    ...(organizationId !== undefined && { organizationId }),
  });
  return { ...shown(user), password };
}

/** Deactivates a user, which ends their sessions, or reactivates them. */
export async function setStatus(
  app: App,
  account: string,
  status: 'active' | 'inactive',
): Promise<ShownUser> {
  const { id } = await requireUser(app, account);
  return shown(await callVerb(app, identity.updateUser, { userId: id, status }));
}

/** What to remove besides the password of an Admin who cannot sign in. */
export type ResetOptions = { readonly withFactors: boolean; readonly fromAnywhere: boolean };

/**
 * Ends an Admin's sessions and password, and returns a link for setting a new one, for the operator at the
 * machine. `withFactors`: also removes their authenticator, passkeys and recovery codes. `fromAnywhere`: lets
 * Admins sign in from any network again. Returns the networks that Admins must still connect from.
 */
export async function resetAdmin(
  app: App,
  account: string,
  { withFactors, fromAnywhere }: ResetOptions,
): Promise<{ account: string; link: string; expiresAt: Date; hasSecondFactor: boolean; networks: string[] }> {
  const user = await requireUser(app, account);
  if (user.role !== 'Admin')
    throw new CommandRefused(
      `${user.account} is no Admin. Admins reset other people's passwords on the screen “Users”.`,
    );
  if (user.status !== 'active')
    await callVerb(app, identity.updateUser, { userId: user.id, status: 'active' });
  if (withFactors) await callVerb(app, signin.removeFactors, { userId: user.id });
  const { idleMinutes, sessionHours, networks } = await callVerb(app, sessionPolicies.getPlatformPolicy, {});
  const isOpened = fromAnywhere && networks.length > 0;
  if (isOpened)
    await callVerb(app, sessionPolicies.setPlatformPolicy, { idleMinutes, sessionHours, networks: [] });
  const { link, expiresAt } = await callVerb(app, signin.resetForUser, { userId: user.id });
  return {
    account: user.account,
    link,
    expiresAt,
    hasSecondFactor: user.twoFactor && !withFactors,
    networks: isOpened ? [] : networks,
  };
}

/**
 * Makes every action take effect at once again, for when nobody is left who could approve. Returns what
 * needed approval.
 */
export async function endApprovals(app: App): Promise<{ ended: readonly string[] }> {
  const { chosen, days } = await callVerb(app, approvals.getApprovalSettings, {});
  await callVerb(app, approvals.setApprovals, { chosen: [], days });
  return { ended: chosen };
}
