// Conditional requests (RFC 9110, section 13): a read returns the state of a resource as an entity tag, and a
// change may require that the resource is still in that state.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { file, pathNames, redirect, type Route } from '#kernel/contract.ts';
import { DomainError, ValidationError } from '#kernel/errors.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { Feature, Reply } from '../unit-of-work/feature.ts';
import { lockUntilEnd } from '../unit-of-work/unit-of-work.ts';

/** The read that shows the resource that a change modifies. */
type ShownBy = { readonly route: Route; readonly verb: Feature['verbs'][string] };

export type Conditions = {
  /**
   * The read that shows what this change modifies; undefined when there is none, or the verb has its own
   * units of work.
   */
  readonly shownBy: (change: Route) => ShownBy | undefined;
  /** Whether a read shows something that a change can be conditional on. */
  readonly isShown: (read: Route) => boolean;
};

/** The condition that a request makes on the resource it changes. */
export type Condition = {
  readonly read: ShownBy;
  readonly tags: readonly string[];
  readonly places: readonly unknown[];
};

const pattern = (path: string): string => path.replace(/:\w+/g, ':');

/** The path at which the changed resource is read: its own path, and for `POST …/:id/stop` `…/:id`. */
function shownAt({ method, path }: Route): string | undefined {
  if (method !== 'POST') return pattern(path);
  const parts = path.split('/');
  const last = parts.findLastIndex((part) => part.startsWith(':'));
  return last === -1 || last < parts.length - 2 ? undefined : pattern(parts.slice(0, last + 1).join('/'));
}

/**
 * Whether a read needs nothing but its path. A read with further required input is only one of several views
 * of the resource.
 */
export const needsOnlyPath = ({ path, input }: Route): boolean =>
  Object.entries(input.shape).every(
    ([field, shape]) => pathNames(path).includes(field) || z.safeParse(shape, undefined).success,
  );

const rolesOf = ({ access }: Route): readonly string[] => (typeof access === 'string' ? [] : access.roles);

/**
 * Maps changes to the reads that show what they modify, by their paths. Whoever may make a change may also
 * read the resource.
 */
export function conditionsOf(features: readonly Feature[]): Conditions {
  const routes = features.flatMap(({ contract, verbs, ownUnitOfWork }) =>
    Object.entries(contract).flatMap(([name, route]) => {
      const verb = verbs[name];
      return verb && !ownUnitOfWork.includes(name) ? [{ route, verb }] : [];
    }),
  );
  const reads = new Map(
    routes
      .filter(({ route }) => route.method === 'GET' && route.output !== file && route.output !== redirect)
      .filter(({ route }) => needsOnlyPath(route))
      .map((read) => [pattern(read.route.path), read]),
  );
  const changes = new Map<Route, ShownBy>();
  for (const { route } of routes) {
    const at = route.method === 'GET' ? undefined : shownAt(route);
    const read = at === undefined ? undefined : reads.get(at);
    if (read && rolesOf(route).every((role) => rolesOf(read.route).includes(role))) changes.set(route, read);
  }
  const shown = new Set([...changes.values()].map(({ route }) => route));
  return { shownBy: (route) => changes.get(route), isShown: (route) => shown.has(route) };
}

/** The strong entity tag of a response's data. */
const entityTag = (data: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url')}"`;

const oneTag = String.raw`(?:W/)?"[\x21\x23-\x7e]*"`;
const tagList = new RegExp(String.raw`^${oneTag}(?:\s*,\s*${oneTag})*$`);

/** The tags of a header; `*` matches any. @throws ValidationError when it is not a list of tags */
function tagsOf(
  request: FastifyRequest,
  header: 'If-Match' | 'If-None-Match',
): readonly string[] | undefined {
  const value = request.headers[header.toLowerCase()];
  const text = Array.isArray(value) ? value.join(', ') : value?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return ['*'];
  if (!tagList.test(text))
    throw new ValidationError([{ field: header, code: 'platform.condition_malformed' }]);
  return text.match(new RegExp(oneTag, 'g')) ?? [];
}

/**
 * The condition of a change.
 * @throws ValidationError for a change that supports no condition: ignoring the header would suggest that it
 * was checked
 */
export function conditionOf(request: FastifyRequest, read: ShownBy | undefined): Condition | undefined {
  const tags = request.method === 'GET' ? undefined : tagsOf(request, 'If-Match');
  if (!tags) return undefined;
  if (!read) throw new ValidationError([{ field: 'If-Match', code: 'platform.condition_unknown' }]);
  return { read, tags, places: Object.values(request.params as object) };
}

/** Sends the entity tag of a read. @returns whether the caller already has this state (`If-None-Match`) */
export function saysState(request: FastifyRequest, reply: FastifyReply, data: unknown): boolean {
  const tag = entityTag(data);
  reply.header('etag', tag);
  // Weak comparison, as for all reads (RFC 9110, 13.1.2).
  return (tagsOf(request, 'If-None-Match') ?? []).some(
    (known) => known === '*' || known.replace('W/', '') === tag,
  );
}

/**
 * Checks the condition of a change inside its unit of work, before anything is changed. Conditional changes
 * of one resource are serialized, so that of two that read the same state only the first succeeds. Weak tags
 * never match (RFC 9110, 13.1.1).
 * @throws DomainError `platform.changed_since` (412); and what the read throws, such as 404
 */
export async function assertUnchanged(
  ctx: Ctx,
  { read, tags, places }: Condition,
  reply: Reply,
): Promise<void> {
  const { route, verb } = read;
  await lockUntilEnd(ctx, `If-Match ${[route.path, ...places].join(' ')}`);
  // The calls of a resource may name their path parameters differently; their order is the same.
  const named = Object.fromEntries(pathNames(route.path).map((name, index) => [name, places[index]]));
  const result = await verb(ctx, z.parse(route.input, named) as never, reply);
  const tag = entityTag(z.encode(route.output, result as never) ?? null);
  if (!tags.includes('*') && !tags.includes(tag)) throw new DomainError('platform.changed_since', 412);
}
