// Runs an approved call once, as the requester, with the permissions that they have now.
import * as z from 'zod/mini';
import { DomainError, ValidationError, domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import { lostRightOf } from '#platform/server/http/admission.ts';
import { HeldCall, runHeldCall, withoutSecrets } from '#platform/server/http/held-calls.ts';
import { recordUnexpectedError } from '#platform/server/monitoring/unexpected-errors.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { personNow } from '#features/access/identity/server/index.ts';
import { approvalsErrors } from '../contract.ts';
import { secretFields } from '../rules.ts';
import type { Console } from './choices.ts';
import { callPurpose } from './hold-call.ts';
import { approvalOf, claimRun, releaseRun, storeDone, storeFailed, type ApprovalRow } from './store.ts';

const outcomePurpose = 'approval outcome';
export const secretsPurpose = 'approval secrets';

/** Decrypts the response data of a call that ran; undefined when there is none. */
export const outcomeOf = (
  app: App,
  { id, sealedOutcome }: Pick<ApprovalRow, 'id' | 'sealedOutcome'>,
): unknown =>
  sealedOutcome === null ? undefined : JSON.parse(unseal(app, outcomePurpose, id, sealedOutcome));

/** Decrypts a stored call. */
export const heldCallOf = (
  app: App,
  { id, sealedCall }: Pick<ApprovalRow, 'id' | 'sealedCall'>,
): HeldCall | undefined =>
  sealedCall === null ? undefined : z.parse(HeldCall, JSON.parse(unseal(app, callPurpose, id, sealedCall)));

type Person = Extract<Actor, { kind: 'user' }>;

/**
 * Returns the requester as they are now. @throws approvals.requester_gone, or the error for a permission that
 * they have lost
 */
async function requesterNow(
  app: App,
  console: Console,
  request: ApprovalRow,
  held: HeldCall,
): Promise<Person> {
  const { requestedBy, keyId, call: name, decidedBy } = request;
  const who = await personNow(app.database.kysely, {
    userId: requestedBy.id,
    keyId,
    now: app.clock.now(),
  });
  if (!who || !decidedBy) throw domainError(approvalsErrors, 'approvals.requester_gone');
  const { route } = console.callOf(name);
  const input = z.parse(route.input, held.fields);
  const lost = await lostRightOf(app, { name, route, input }, who, console.rights);
  if (lost) throw lost;
  return { ...who, approved: { approvalId: request.id, by: decidedBy.id } };
}

/**
 * The permanent failure behind an error: a DomainError or a fault in the call; undefined for a transient
 * error.
 */
function failureOfRun(error: unknown): { code: string; params: TextParams } | undefined {
  if (error instanceof DomainError)
    return error.status >= 500 ? undefined : { code: error.code, params: error.params };
  if (error instanceof ValidationError) {
    const [first] = error.fields;
    return first
      ? { code: first.code, params: { field: first.field, ...first.params } }
      : { code: 'platform.invalid', params: {} };
  }
  if (isDatabaseUnavailable(error)) return undefined;
  return { code: 'platform.fault', params: {} };
}

/**
 * Runs an approved request unless it has run already. A permanent failure ends the request; a transient error
 * is thrown, and the job retries.
 * `by` is the actor whom the audit log names for a failure.
 */
export async function runApproved(
  app: App,
  console: Console,
  approvalId: Id<'apr'>,
  by: Actor,
): Promise<void> {
  const request = await unitOfWork(app, { actor: by, mode: 'read' }, (ctx) => approvalOf(ctx, approvalId));
  const held = request && heldCallOf(app, request);
  if (request?.state !== 'approved' || !held) return;
  const call = console.callOf(held.name);
  try {
    await runHeldCall(app, call, held, {
      actor: await requesterNow(app, console, request, held),
      onceKey: `approval:${approvalId}`,
      claim: (ctx) => claimRun(ctx, approvalId),
      done: async (ctx, data) => {
        const { returnedOnce = [] } = call.route;
        const secrets = secretFields(data, returnedOnce);
        await storeDone(
          ctx,
          approvalId,
          seal(app, outcomePurpose, approvalId, JSON.stringify(withoutSecrets(data, returnedOnce) ?? null)),
          secrets.length === 0 ? null : seal(app, secretsPurpose, approvalId, JSON.stringify(secrets)),
        );
        // When both share a transaction, the audit subject stays that of the call.
        ctx.audit('approvals.run', undefined, { call: held.name });
        ctx.publish('system/approvals', { kind: 'done' });
      },
    });
  } catch (error) {
    await failRun(app, { approvalId, call: held.name, by }, error);
  }
}

/** Stores why a call did not run. @throws the error itself when it is transient */
async function failRun(
  app: App,
  { approvalId, call, by }: { approvalId: Id<'apr'>; call: string; by: Actor },
  error: unknown,
): Promise<void> {
  const failure = failureOfRun(error);
  if (!failure) {
    await unitOfWork(app, { actor: by }, (ctx) => releaseRun(ctx, approvalId));
    throw error;
  }
  if (failure.code === 'platform.fault') {
    app.log.error({ err: error, approvalId, call }, 'an approved call failed');
    void recordUnexpectedError(app, { source: 'request', place: call, requestId: approvalId, error });
  }
  await unitOfWork(app, { actor: by }, async (ctx) => {
    if (!(await storeFailed(ctx, approvalId, failure.code, failure.params))) return;
    ctx.audit('approvals.fail', approvalId, { call, code: failure.code });
    ctx.publish('system/approvals', { kind: 'failed' });
  });
}
