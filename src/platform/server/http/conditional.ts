// Conditional requests (RFC 9110, section 13): a read says which state of a thing it shows, and a change may ask that the thing is still so.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { file, pathNames, redirect, type Route } from '#kernel/contract.ts';
import { DomainError, ValidationError } from '#kernel/errors.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { Feature, Reply } from '../unit-of-work/feature.ts';
import { lockUntilEnd } from '../unit-of-work/unit-of-work.ts';

/** The read that shows what a change changes. */
type ShownBy = { readonly route: Route; readonly verb: Feature['verbs'][string] };

export type Conditions = {
  /** The read of what this change changes; undefined where there is none, or the verb has its own units of work. */
  readonly shownBy: (change: Route) => ShownBy | undefined;
  /** Whether a read shows something that a change can be bound to. */
  readonly isShown: (read: Route) => boolean;
};

/** What a request asks of the thing that it changes. */
export type Condition = {
  readonly read: ShownBy;
  readonly tags: readonly string[];
  readonly places: readonly unknown[];
};

const pattern = (path: string): string => path.replace(/:\w+/g, ':');

/** Where the thing that a change changes is read: at its own path, and for `POST …/:id/stop` at `…/:id`. */
function shownAt({ method, path }: Route): string | undefined {
  if (method !== 'POST') return pattern(path);
  const parts = path.split('/');
  const last = parts.findLastIndex((part) => part.startsWith(':'));
  return last === -1 || last < parts.length - 2 ? undefined : pattern(parts.slice(0, last + 1).join('/'));
}

/** Whether a read needs its path alone; what needs more is one of several answers about the thing. */
export const needsOnlyPath = ({ path, input }: Route): boolean =>
  Object.entries(input.shape).every(
    ([field, shape]) => pathNames(path).includes(field) || z.safeParse(shape, undefined).success,
  );

const rolesOf = ({ access }: Route): readonly string[] => (typeof access === 'string' ? [] : access.roles);

/** Which reads show what which changes change, by their paths; who may make the change may see the thing. */
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

/** The strong entity tag of an answer's data. */
const entityTag = (data: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url')}"`;

const oneTag = String.raw`(?:W/)?"[\x21\x23-\x7e]*"`;
const tagList = new RegExp(String.raw`^${oneTag}(?:\s*,\s*${oneTag})*$`);

/** The tags of a header; `*` stands for any. @throws ValidationError for what is no list of tags */
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
 * @throws ValidationError for a change that nothing can be compared for, as silence would be taken for a comparison
 */
export function conditionOf(request: FastifyRequest, read: ShownBy | undefined): Condition | undefined {
  const tags = request.method === 'GET' ? undefined : tagsOf(request, 'If-Match');
  if (!tags) return undefined;
  if (!read) throw new ValidationError([{ field: 'If-Match', code: 'platform.condition_unknown' }]);
  return { read, tags, places: Object.values(request.params as object) };
}

/** Says which state an answer shows. @returns whether the caller has it already (`If-None-Match`) */
export function saysState(request: FastifyRequest, reply: FastifyReply, data: unknown): boolean {
  const tag = entityTag(data);
  reply.header('etag', tag);
  // Weak comparison, as for every read (RFC 9110, 13.1.2).
  return (tagsOf(request, 'If-None-Match') ?? []).some(
    (known) => known === '*' || known.replace('W/', '') === tag,
  );
}

/**
 * Checks the condition of a change in its own unit of work, before anything is changed. Changes with a condition on one thing run one after
 * another, so that of two that read the same state only the first is made. Weak tags never match (RFC 9110, 13.1.1).
 * @throws DomainError `platform.changed_since` (412); what the read throws, such as 404
 */
export async function assertUnchanged(
  ctx: Ctx,
  { read, tags, places }: Condition,
  reply: Reply,
): Promise<void> {
  const { route, verb } = read;
  await lockUntilEnd(ctx, `If-Match ${[route.path, ...places].join(' ')}`);
  // The names of the places may differ between the calls of a thing; their order does not.
  const named = Object.fromEntries(pathNames(route.path).map((name, index) => [name, places[index]]));
  const result = await verb(ctx, z.parse(route.input, named) as never, reply);
  const tag = entityTag(z.encode(route.output, result as never) ?? null);
  if (!tags.includes('*') && !tags.includes(tag)) throw new DomainError('platform.changed_since', 412);
}
