// Addresses whose company requires its own identity provider.
import { domainError } from '#kernel/errors.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { User } from '#features/access/identity/contract.ts';
import { domainOf } from '#features/access/providers/rules.ts';
import { isProviderRequired } from '#features/access/providers/server/index.ts';
import { signinErrors } from '../contract.ts';

/** Whether an address can sign in only through its company's provider. */
export async function isBoundToCompany(app: App, account: string): Promise<boolean> {
  const domain = domainOf(account);
  return domain !== '' && isProviderRequired(app.database.kysely, domain);
}

/** Whether a person can sign in with a password or passkey although their company requires its provider. */
export function mayBreakGlass(user: Pick<User, 'role'>, hasFactor: boolean): boolean {
  return user.role === 'Admin' && hasFactor;
}

/** Rejects addresses whose company requires its provider. @throws DomainError `signin.company_required` */
export async function assertNotBoundToCompany(ctx: Ctx, account: string, field: string): Promise<void> {
  if (await isBoundToCompany(ctx.app, account))
    throw domainError(signinErrors, 'signin.company_required', {}, [field]);
}
