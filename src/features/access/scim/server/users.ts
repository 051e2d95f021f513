// The users of SCIM: list, get, create, replace, patch, delete (RFC 7644, 3.3 to 3.6).
import { DomainError } from '#kernel/errors.ts';
import * as z from 'zod/mini';
import { email } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import {
  addUser,
  mailLanguage,
  updateUserRow,
  userToSignIn,
} from '#features/access/identity/server/index.ts';
import { isMadeByIssuer, companyIssuer } from '#features/access/federation/server/index.ts';
import { domainOf, rolesOf } from '#features/access/providers/rules.ts';
import { hasVerified, consoleAddresses, type Provider } from '#features/access/providers/server/index.ts';
import {
  listBody,
  mostFiltered,
  patched,
  readFilter,
  readPage,
  readUser,
  ScimError,
  scimSchemas,
  type GivenUser,
  type ScimUser,
} from '../rules.ts';
import { admit } from './admit.ts';
import { countUsersOf, markDeleted, saveUser, userOf, usersOf, type UserRow } from './store.ts';

export type ListQuery = {
  readonly filter?: string;
  readonly startIndex?: string;
  readonly count?: string;
  readonly excludedAttributes?: string;
};

const viewOf = (ctx: Ctx, provider: Provider, row: UserRow): ScimUser => ({
  schemas: [scimSchemas.user],
  id: row.id,
  ...(row.externalId !== null && { externalId: row.externalId }),
  userName: row.account,
  name: { givenName: row.givenName, familyName: row.familyName, formatted: row.name },
  displayName: row.name,
  emails: [{ value: row.account, type: 'work', primary: true }],
  active: row.isActive,
  groups: row.groups,
  meta: {
    resourceType: 'User',
    created: row.createdAt,
    lastModified: row.changedAt,
    location: `${consoleAddresses(ctx.app, provider).scimUrl}/Users/${row.id}`,
    version: `W/"${row.version}"`,
  },
});

export async function listScimUsers(ctx: Ctx, provider: Provider, query: ListQuery): Promise<object> {
  const { startIndex, count } = readPage(query);
  const asked = readFilter(query.filter);
  const wanted = asked.is === 'one' ? asked : undefined;
  const total = await countUsersOf(ctx, provider.id, wanted);
  if (asked.is !== 'some') {
    const rows = await usersOf(ctx, provider.id, wanted, { offset: startIndex - 1, limit: count });
    return listBody(
      rows.map((row) => viewOf(ctx, provider, row)),
      { startIndex, total },
    );
  }
  if (total > mostFiltered)
    throw new ScimError(400, 'Too many people for this filter; filter by userName or externalId.', 'tooMany');
  const all = await usersOf(ctx, provider.id, undefined, { offset: 0, limit: mostFiltered });
  const found = all.map((row) => viewOf(ctx, provider, row)).filter(asked.matches);
  return listBody(found.slice(startIndex - 1, startIndex - 1 + count), { startIndex, total: found.length });
}

async function requireUser(ctx: Ctx, provider: Provider, userId: string): Promise<UserRow> {
  const row = await userOf(ctx, provider.id, userId);
  if (!row || row.isDeleted) throw new ScimError(404, `There is no user ${userId}.`);
  return row;
}

export async function getScimUser(ctx: Ctx, provider: Provider, userId: string): Promise<ScimUser> {
  return viewOf(ctx, provider, await requireUser(ctx, provider, userId));
}

/** The account for a user name, which must be an address in a verified domain. @throws ScimError */
async function accountFor(ctx: Ctx, provider: Provider, userName: string): Promise<string> {
  const read = z.safeParse(email, userName);
  if (!read.success) throw new ScimError(400, 'userName must be an e-mail address.', 'invalidValue');
  const account = normalAccount(read.data);
  if (!(await hasVerified(ctx.db, provider.id, domainOf(account))))
    throw new ScimError(
      400,
      `The domain of ${account} is not verified for this identity provider.`,
      'invalidValue',
    );
  return account;
}

export async function createScimUser(ctx: Ctx, provider: Provider, body: unknown): Promise<ScimUser> {
  const given = readUser(body);
  const account = await accountFor(ctx, provider, given.userName);
  await lockUntilEnd(ctx, `scim ${provider.id} ${account}`);
  const known = await userToSignIn(ctx.db, account);
  const earlier = known && (await userOf(ctx, provider.id, known.user.id));
  // The provider may update an account that its sign-ins created, and revive one that it deleted; any other
  // belongs to its owner.
  const isTheirs =
    earlier === undefined
      ? known !== undefined && (await isMadeByIssuer(ctx.db, companyIssuer(provider.id), known.user.id))
      : earlier.isDeleted;
  if (known && !isTheirs) throw new ScimError(409, `There is an account ${account} already.`, 'uniqueness');
  const userId = known?.user.id ?? (await addAccount(ctx, provider, account, given));
  await store(ctx, provider, userId, given);
  ctx.audit('scim.createUser', userId, { provider: provider.id });
  return getScimUser(ctx, provider, userId);
}

/** Adds an account, inactive until a group or the default role admits the person. @throws ScimError */
async function addAccount(ctx: Ctx, provider: Provider, account: string, given: GivenUser): Promise<string> {
  const weakest = rolesOf(provider.organizationId).at(-1) ?? 'ReadOnly';
  try {
    const user = await addUser(ctx, {
      account,
      name: given.displayName,
      phone: '',
      role: weakest,
      organizationId: provider.organizationId,
      passwordHash: null,
      language: await ctx.setting(mailLanguage),
    });
    await updateUserRow(ctx, user.id, { status: 'inactive' });
    return user.id;
  } catch (error) {
    if (error instanceof DomainError)
      throw new ScimError(409, `The account ${account} is taken.`, 'uniqueness');
    throw error;
  }
}

async function store(ctx: Ctx, provider: Provider, userId: string, given: GivenUser): Promise<void> {
  if (!(await saveUser(ctx, provider.id, userId, given)))
    throw new ScimError(409, `Another user has the external id ${given.externalId}.`, 'uniqueness');
  await updateUserRow(ctx, userId, { name: given.displayName });
  await admit(ctx, provider, userId);
}

export async function replaceScimUser(
  ctx: Ctx,
  provider: Provider,
  userId: string,
  body: unknown,
): Promise<ScimUser> {
  await lockUntilEnd(ctx, `scim ${provider.id} ${userId}`);
  const row = await requireUser(ctx, provider, userId);
  const given = readUser(body);
  if (normalAccount(given.userName) !== row.account)
    throw new ScimError(
      400,
      'userName cannot be changed: it is the account. Deactivate this user and create another.',
      'mutability',
    );
  await store(ctx, provider, userId, given);
  ctx.audit('scim.updateUser', userId, { provider: provider.id, active: given.active });
  return getScimUser(ctx, provider, userId);
}

export async function patchScimUser(
  ctx: Ctx,
  provider: Provider,
  userId: string,
  body: unknown,
): Promise<ScimUser> {
  const before = await getScimUser(ctx, provider, userId);
  const next = patched(before, body);
  // When a provider changes parts of a name, the displayed name follows, unless the provider sets it.
  const isShown =
    typeof next === 'object' &&
    next !== null &&
    'displayName' in next &&
    next.displayName !== before.displayName;
  return replaceScimUser(ctx, provider, userId, isShown ? next : withoutOldName(before, next));
}

/** Omits the displayed name when only its parts were changed, so that it follows them. */
function withoutOldName(before: ScimUser, next: unknown): unknown {
  if (typeof next !== 'object' || next === null || !('name' in next)) return next;
  const name: unknown = next.name;
  if (typeof name !== 'object' || name === null) return next;
  const part = (key: string): unknown => Object.getOwnPropertyDescriptor(name, key)?.value;
  const { givenName, familyName, formatted } = before.name;
  if (part('givenName') === givenName && part('familyName') === familyName && part('formatted') === formatted)
    return next;
  const isFormatted = part('formatted') !== formatted;
  return { ...next, displayName: null, name: isFormatted ? name : { ...name, formatted: null } };
}

export async function deleteScimUser(ctx: Ctx, provider: Provider, userId: string): Promise<void> {
  await lockUntilEnd(ctx, `scim ${provider.id} ${userId}`);
  await requireUser(ctx, provider, userId);
  await markDeleted(ctx, provider.id, userId);
  await admit(ctx, provider, userId);
  ctx.audit('scim.deleteUser', userId, { provider: provider.id });
}
