// Registering: a person together with an organization of theirs.
import type { In, Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { normalAccount } from '#features/identity/rules.ts';
import { addUser, checkPassword, hashPassword, insertOrganization, timeZoneSetting } from '#features/identity/server/index.ts';
import type { signin } from '../contract.ts';

/** Registers a person with a new organization of theirs (R-AUTH-20). */
export async function register(ctx: Ctx, input: In<typeof signin.register>): Promise<Out<typeof signin.register>> {
  checkPassword(input.password);
  const passwordHash = await hashPassword(input.password);
  const organization = await insertOrganization(ctx, { name: input.organization, timeZone: await ctx.setting(timeZoneSetting), language: ctx.language, externalRef: null });
  const user = await addUser(ctx, { account: normalAccount(input.email), name: input.name, phone: input.phone ?? '', role: 'User', organizationId: organization.id, passwordHash, language: ctx.language });
  ctx.note('signin.register', user.id, { organizationId: organization.id });
  return { user };
}
