// The own password: changing it ends every other session.
import type { In } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import { work } from '#platform/server/work.ts';
import { checkPassword, endSessions, hashPassword, isPassword, passwordHashOf, updateUserRow } from '#features/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';

/** Changes the own password and ends all other sessions. The hashes are computed outside the transaction. */
export async function changePassword(ctx: Ctx, input: In<typeof signin.changePassword>): Promise<null> {
  const actor = person(ctx);
  checkPassword(input.next);
  if (!(await isPassword(await passwordHashOf(ctx.db, actor.userId), input.current))) throw refuse(signinErrors, 'signin.password_wrong');
  const passwordHash = await hashPassword(input.next);
  await work(ctx.world, { actor, language: ctx.language, requestId: ctx.requestId }, async (own) => {
    await updateUserRow(own, actor.userId, { password_hash: passwordHash });
    const ended = await endSessions(own, actor.userId, { allBut: actor.sessionId });
    own.note('signin.changePassword', actor.userId, { endedSessions: ended });
  });
  return null;
}
