// SQL of companies' sign-in: requests, used assertions, and tickets that wait for their browser.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CompanyPerson } from '../rules-saml.ts';

export type CompanyRequest = {
  readonly browserHash: Buffer;
  readonly isTest: boolean;
  /** The PKCE verifier, which proves to an OpenID provider that the code was sent to us; '' for SAML. */
  readonly verifier: string;
  readonly returnTo: string;
};

/** Stores a sign-in that began here; deletes those that have expired. */
export async function insertRequest(
  ctx: Ctx,
  requestId: string,
  providerId: string,
  request: CompanyRequest,
  expiresAt: Date,
): Promise<void> {
  await sql`delete from company_request where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`insert into company_request (id, provider_id, browser_hash, is_test, verifier, return_to, expires_at)
    values (${requestId}, ${providerId}, ${request.browserHash}, ${request.isTest}, ${request.verifier}, ${request.returnTo}, ${expiresAt})`.execute(
    ctx.db,
  );
}

/** Uses up a request: of several answers to it, exactly one gets it. */
export async function takeRequest(
  ctx: Ctx,
  requestId: string,
  providerId: string,
): Promise<CompanyRequest | undefined> {
  const { rows } =
    await sql<CompanyRequest>`delete from company_request where id = ${requestId} and provider_id = ${providerId} and expires_at > ${ctx.now}
    returning browser_hash as "browserHash", is_test as "isTest", verifier, return_to as "returnTo"`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Marks an assertion as used; false when it was used before. Deletes those that would be rejected as too old.
 */
export async function claimAssertion(
  ctx: Ctx,
  providerId: string,
  assertionId: string,
  rememberUntil: Date,
): Promise<boolean> {
  await sql`delete from used_assertion where expires_at < ${ctx.now}`.execute(ctx.db);
  const { rows } =
    await sql`insert into used_assertion (provider_id, assertion_id, expires_at) values (${providerId}, ${assertionId}, ${rememberUntil})
    on conflict do nothing returning 1`.execute(ctx.db);
  return rows.length > 0;
}

export type CompanyTicket = CompanyPerson & {
  readonly providerId: Id<'idp'>;
  /** Null: any browser may use it, because the provider initiated the sign-in. */
  readonly browserHash: Buffer | null;
  readonly returnTo: string;
};

/** Stores an accepted answer for its browser. */
export async function insertTicket(
  ctx: Ctx,
  hash: Buffer,
  ticket: CompanyTicket,
  expiresAt: Date,
): Promise<void> {
  await sql`delete from company_ticket where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`insert into company_ticket (hash, provider_id, browser_hash, subject, email, name, groups, return_to, expires_at)
    values (${hash}, ${ticket.providerId}, ${ticket.browserHash}, ${ticket.subject}, ${ticket.email}, ${ticket.name}, ${[...ticket.groups]}::text[], ${ticket.returnTo}, ${expiresAt})`.execute(
    ctx.db,
  );
}

/** Uses up a ticket, in the browser for which it was issued. */
export async function takeTicket(
  ctx: Ctx,
  hash: Buffer,
  browserHash: Buffer,
): Promise<CompanyTicket | undefined> {
  const { rows } =
    await sql<CompanyTicket>`delete from company_ticket where hash = ${hash} and expires_at > ${ctx.now} and (browser_hash is null or browser_hash = ${browserHash})
    returning provider_id as "providerId", browser_hash as "browserHash", subject, email, name, groups, return_to as "returnTo"`.execute(
      ctx.db,
    );
  return rows[0];
}
