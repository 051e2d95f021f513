// Development only: simulated sign-in, an adjustable clock, and the inbox for e-mails without an SMTP server.
// A production server never registers these routes.
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ValidationError, DomainError } from '#kernel/errors.ts';
import { instant, role } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { DevelopmentClock } from '#platform/server/clock.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import type { DevelopmentInbox } from '#platform/server/mail/mail-inbox.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { simulateUser } from '#features/access/identity/server/index.ts';
import { jobs } from './jobs.ts';

const SignIn = z.strictObject({ role });
const Move = z.strictObject({ now: z.nullable(instant) });
const Run = z.strictObject({ job: z.string() });

function readBody<T>(shape: z.ZodMiniType<T>, body: unknown): T {
  const read = z.safeParse(shape, body);
  if (!read.success) throw new ValidationError(fieldErrors(read.error.issues));
  return read.data;
}

/**
 * Serves /api/debug/*: `POST sign-in { role }`, `POST clock { now }` (null: back to the system time), `POST
 * jobs { job }` (runs a job now, since schedules follow the system time, not the adjusted clock), and `GET`
 * and `DELETE mail`.
 */
export function serveDebug(
  fastify: FastifyInstance,
  app: App,
  clock: DevelopmentClock,
  inbox: DevelopmentInbox,
): void {
  fastify.get('/api/debug/mail', async () => ({
    data: { letters: inbox.letters.map(({ at, ...letter }) => ({ ...letter, at: at.toISOString() })) },
    isSuccess: true,
    message: 'Success',
  }));
  fastify.delete('/api/debug/mail', async () => {
    inbox.clear();
    return { data: null, isSuccess: true, message: 'Success' };
  });
  fastify.post('/api/debug/sign-in', async (request) => {
    const wanted = readBody(SignIn, request.body);
    const data = await unitOfWork(app, { actor: { kind: 'system', name: 'debug' } }, (ctx) =>
      simulateUser(ctx, wanted.role),
    );
    if (!data) throw new DomainError('platform.not_found', 404);
    return { data, isSuccess: true, message: 'Success' };
  });
  fastify.post('/api/debug/clock', async (request) => {
    const { now } = readBody(Move, request.body);
    if (now) clock.set(now);
    else clock.follow();
    return { data: { now: app.clock.now().toISOString() }, isSuccess: true, message: 'Success' };
  });
  fastify.post('/api/debug/jobs', async (request) => {
    const { job } = readBody(Run, request.body);
    if (!jobs.some(({ name }) => name === job)) throw new DomainError('platform.not_found', 404);
    await unitOfWork(app, { actor: { kind: 'system', name: 'debug' } }, (ctx) => ctx.enqueue(job, {}, job));
    return { data: null, isSuccess: true, message: 'Success' };
  });
}
