// Shows, previews and saves the revocable permissions, and previews another role for a user.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Role } from '#kernel/roles.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { countActiveAdmins, userById } from '#features/access/identity/server/index.ts';
import { usersByRole } from '../console/store.ts';
import { linksOf, menuOf } from '../menu.ts';
import {
  grantNames,
  grantsContract,
  grantsErrors,
  type Grant,
  type GrantName,
  type GrantsPreview,
  type RolePreview,
} from './contract.ts';
import { grants, isTaken, knownOf, withdrawnSetting } from './grants.ts';

const withdrawnNow = async (ctx: Ctx): Promise<GrantName[]> => knownOf(await ctx.setting(withdrawnSetting));

/** Creates the feature. `features` are all features, whose routes form the table that these calls read. */
export function grantsFeature(features: () => readonly Feature[]): Feature {
  const table = () =>
    features().flatMap((each) =>
      Object.entries(each.contract).map(([name, route]) => ({
        key: `${each.name}.${name}`,
        feature: each.name,
        name,
        method: route.method,
        path: `/api${route.path}`,
        access: route.access,
      })),
    );
  const view = (withdrawn: readonly GrantName[]): Grant[] => {
    const routes = new Map(table().map(({ key, access: _access, ...route }) => [key, route]));
    return grantNames.map((name) => ({
      name,
      role: grants[name].role,
      isAllowed: !withdrawn.includes(name),
      routes: grants[name].routes.flatMap((key) => routes.get(key) ?? []),
    }));
  };
  /** The calls that a role may currently make. */
  const callsOf = (role: Role, withdrawn: readonly GrantName[]): string[] =>
    table()
      .filter(
        ({ key, access }) =>
          typeof access === 'object' && access.roles.includes(role) && !isTaken(withdrawn, key, role),
      )
      .map(({ key }) => key);

  async function previewGrants(
    ctx: Ctx,
    { withdrawn }: In<typeof grantsContract.previewGrants>,
  ): Promise<GrantsPreview> {
    const [now, users] = [await withdrawnNow(ctx), await usersByRole(ctx)];
    const changes = view(withdrawn)
      .filter(({ name, isAllowed }) => isAllowed === now.includes(name))
      .map((grant) => ({ ...grant, users: users.find(({ role }) => role === grant.role)?.count ?? 0 }));
    const count = (isAllowed: boolean): number =>
      changes
        .filter((change) => change.isAllowed === isAllowed)
        .reduce((sum, change) => sum + change.routes.length, 0);
    return { changes, lost: count(false), won: count(true) };
  }

  async function saveGrants(
    ctx: Ctx,
    { withdrawn, before }: In<typeof grantsContract.saveGrants>,
  ): Promise<Out<typeof grantsContract.saveGrants>> {
    await lockUntilEnd(ctx, 'grants');
    const [now, wanted] = [await withdrawnNow(ctx), knownOf(withdrawn)];
    if (now.join() !== knownOf(before).join()) throw domainError(grantsErrors, 'grants.changed');
    await storeSetting(ctx.db, withdrawnSetting, wanted, ctx.now, person(ctx).userId);
    const states = (taken: readonly GrantName[]) =>
      Object.fromEntries(grantNames.map((name) => [name, !taken.includes(name)]));
    ctx.audit('grants.saveGrants', undefined, { before: states(now), after: states(wanted) });
    return { items: view(wanted) };
  }

  async function previewRole(
    ctx: Ctx,
    { userId, role }: In<typeof grantsContract.previewRole>,
  ): Promise<RolePreview> {
    const user = await userById(ctx.db, userId);
    if (!user) throw domainError(grantsErrors, 'grants.user_not_found');
    const withdrawn = await withdrawnNow(ctx);
    const pagesOf = (of: Role): string[] => linksOf(menuOf(of)).map((link) => link.path);
    const isLastAdmin =
      user.role === 'Admin' &&
      user.status === 'active' &&
      role !== 'Admin' &&
      (await countActiveAdmins(ctx)) <= 1;
    return {
      userId,
      name: user.name,
      account: user.account,
      from: user.role,
      to: role,
      isLastAdmin,
      needsOrganization: role !== 'Admin' && user.organizationId === null,
      pages: differenceOf(pagesOf(user.role), pagesOf(role)),
      calls: differenceOf(callsOf(user.role, withdrawn), callsOf(role, withdrawn)),
    };
  }

  const verbs = {
    ownGrants: async (ctx: Ctx) => {
      const { role } = person(ctx);
      return { withdrawn: (await withdrawnNow(ctx)).filter((name) => grants[name].role === role) };
    },
    listGrants: async (ctx: Ctx) => ({ items: view(await withdrawnNow(ctx)) }),
    previewGrants,
    saveGrants,
    previewRole,
  };
  return feature({ name: 'grants', contract: grantsContract, errors: grantsErrors, verbs });
}

const differenceOf = (from: readonly string[], to: readonly string[]): RolePreview['pages'] => ({
  lost: from.filter((one) => !to.includes(one)),
  won: to.filter((one) => !from.includes(one)),
});

/**
 * Throws at startup for a permission that names no existing route, or one that its role never had: it would
 * do nothing while the screen says that it does. Nothing can be taken from Admins.
 */
export function assertOnlyNarrows(features: readonly Feature[]): void {
  const routes = new Map(
    features.flatMap((each) =>
      Object.entries(each.contract).map(([name, route]) => [`${each.name}.${name}`, route.access]),
    ),
  );
  for (const { role, routes: taken } of Object.values(grants)) {
    for (const key of taken) {
      const access = routes.get(key);
      if (role === 'Admin' || typeof access !== 'object' || !access.roles.includes(role))
        throw new Error(`a grant takes ${key} from ${role}, who does not have it`);
    }
  }
}
