// Several reads in one call. Each runs through the whole server as a separate request, so batching bypasses
// no check.
import type { FastifyInstance } from 'fastify';
import { file, type Route } from '#kernel/contract.ts';
import { maxBatchedReads, batchReadsPath } from '#kernel/batch-reads.ts';
import { ValidationError } from '#kernel/errors.ts';
import type { Feature } from '../unit-of-work/feature.ts';
import { readAsCaller } from './inner-reads.ts';

/**
 * `GET /api/together?get=/bills/current&get=/dunning` returns `data[i] = { status, retryAfter, body }` in the
 * order of the paths, where `body` is the envelope of that read. Only routes that declare `isBatchable` are
 * accepted. Throws {@link ValidationError} for no paths, too many, or any other path.
 */
export function serveBatchReads(fastify: FastifyInstance, features: readonly Feature[]): void {
  const open = features
    .flatMap((feature) => Object.values(feature.contract))
    .filter((route) => route.isBatchable)
    .map(patternOf);
  fastify.get(`/api${batchReadsPath}`, { exposeHeadRoute: false }, async (request, reply) => {
    const asked = [(request.query as { get?: string | string[] }).get ?? []].flat();
    const isOpen = (path: string): boolean => open.some((pattern) => pattern.test(path));
    if (asked.length === 0 || asked.length > maxBatchedReads || !asked.every(isOpen))
      throw new ValidationError([{ field: 'get', code: 'platform.field_invalid' }]);
    const answers = await Promise.all(asked.map((path) => readAsCaller(request, path)));
    // When nothing can be read at the moment, the whole call fails with one response that says when to retry.
    const [first] = answers;
    if (first && answers.every(({ statusCode }) => statusCode === 503))
      return reply
        .status(503)
        .header('retry-after', first.headers['retry-after'] ?? '1')
        .type('application/json; charset=utf-8')
        .send(first.payload);
    const parts = answers.map(
      ({ statusCode, headers: { 'retry-after': retryAfter }, payload }) =>
        `{"status":${statusCode},"retryAfter":${Number(retryAfter ?? 0)},"body":${payload}}`,
    );
    // The parts are JSON texts already, so they are concatenated instead of parsed and serialized again.
    return reply
      .type('application/json; charset=utf-8')
      .send(`{"data":[${parts.join(',')}],"isSuccess":true,"message":"Success"}`);
  });
}

/**
 * Matches the paths of a route, with any query. Throws for routes that cannot be batched because they change
 * something or do not respond with JSON.
 */
function patternOf(route: Route): RegExp {
  if (route.method !== 'GET' || route.output === file || route.access === 'cookie' || route.long)
    throw new Error(`${route.path} cannot be asked for together with others`);
  return new RegExp(`^${route.path.replace(/:\w+/g, '[\\w-]+')}(\\?[^#\\s]*)?$`);
}
