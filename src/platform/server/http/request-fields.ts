// Takes a request apart before its contract checks it: body, query, media type, idempotency key.
import type { FastifyRequest } from 'fastify';
import { DomainError, ValidationError } from '#kernel/errors.ts';

/** No route has fields that are nested deeper, and deeper nesting could overflow the stack of recursive code. */
const maxJsonDepth = 200;

/** The media type of a request's body, without parameters. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase();

/** Whether a body's lists and objects are nested too deep; without recursion, which deep input could overflow. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return false;
}

/** The fields of a body, which must be an object; a missing one has none. */
export function bodyObject(body: unknown): object {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new DomainError('platform.malformed', 400);
  return body;
}

/**
 * The query's fields; every call accepts `language`. Repeated parameters are rejected, because either value
 * could be meant.
 */
export function queryObject(query: unknown, names: ReadonlySet<string>): Record<string, unknown> {
  const fields = { ...(query as Record<string, unknown>) };
  if (!names.has('language')) delete fields['language'];
  const repeated = Object.keys(fields).filter((name) => Array.isArray(fields[name]));
  if (repeated.length > 0)
    throw new ValidationError(repeated.map((field) => ({ field, code: 'platform.field_invalid' })));
  return fields;
}

/** The key with which a client marks a change that it may send again. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new ValidationError([{ field: 'Idempotency-Key', code: 'platform.field_invalid' }]);
  return key;
}
