// `expand`: returns a read together with other reads that a caller would make next.
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { file, pathNames, redirect, type Envelope, type Route } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import type { Feature } from '../unit-of-work/feature.ts';
import { needsOnlyPath } from './conditional.ts';
import { readAsCaller } from './inner-reads.ts';

/** The reads that a route's response can include, by their names in `expand`. */
export type Expandable = ReadonlyMap<string, Route>;

const queryName = 'expand';
/** The response field that holds them. */
export const expandedField = 'expanded';

/**
 * Resolves the reads that routes name by path. Throws for a path that is not a JSON read, for one that needs
 * further input, for a `:name` that neither the call nor its response has, and for a response that is not an
 * object.
 */
export function expandableBy(features: readonly Feature[]): (route: Route) => Expandable {
  const routes = features.flatMap((feature) => Object.values(feature.contract));
  const reads = new Map(
    routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route] as const),
  );
  const found = new Map(
    routes
      .filter(({ expand }) => expand !== undefined)
      .map((route) => [
        route,
        new Map(
          Object.entries(route.expand ?? {}).map(([name, path]) => {
            const read = reads.get(path);
            if (!read || read.output === file || read.output === redirect || read.long)
              throw new Error(`${route.path} expands ${name}: ${path} is no read`);
            assertReadable(route, name, read);
            return [name, read] as const;
          }),
        ),
      ]),
  );
  const none: Expandable = new Map();
  return (route) => found.get(route) ?? none;
}

function assertReadable(route: Route, name: string, read: Route): void {
  const places = pathNames(read.path);
  const fields = route.output instanceof z.ZodMiniObject ? Object.keys(route.output.shape) : undefined;
  if (!fields || fields.includes(expandedField))
    throw new Error(`the answer of ${route.path} cannot hold ${expandedField}`);
  const unknown = places.filter((place) => ![...pathNames(route.path), ...fields].includes(place));
  if (unknown.length > 0) throw new Error(`${route.path} expands ${name} without ${unknown.join(', ')}`);
  if (!needsOnlyPath(read)) throw new Error(`${route.path} expands ${name}, which needs more than its path`);
}

/** Whether the path of a read depends on the response, in which case there may be nothing to read. */
export const isFoundByAnswer = (route: Route, read: Route): boolean =>
  pathNames(read.path).some((place) => !pathNames(route.path).includes(place));

/**
 * The reads that a call asks for, as `expand=a,b` or as `expand=a&expand=b`.
 * @throws ValidationError for a name that the call does not support; it lists the supported ones
 */
export function askedToExpand(request: FastifyRequest, expandable: Expandable): readonly string[] {
  const { [queryName]: value } = request.query as { readonly [queryName]?: string | readonly string[] };
  const names = [...new Set([value ?? []].flat().flatMap((text) => text.split(',')))];
  if (names.some((name) => !expandable.has(name)))
    throw new ValidationError([
      {
        field: queryName,
        code: 'platform.expand_unknown',
        params: { possible: [...expandable.keys()].join(', ') },
      },
    ]);
  return names;
}

/** The query without its `expand` parameter. */
export function withoutExpand(query: unknown): Record<string, unknown> {
  const { [queryName]: _asked, ...rest } = query as Record<string, unknown>;
  return rest;
}

/** The path of a read with its parameters filled in; undefined when one of them is null. */
function filledPath(path: string, known: Readonly<Record<string, unknown>>): string | undefined {
  if (pathNames(path).some((place) => known[place] === null)) return undefined;
  return path.replace(/:(\w+)/g, (_place, name: string) => encodeURIComponent(String(known[name])));
}

/**
 * Adds the requested reads to a response's data. Each is a separate read and may therefore see a slightly
 * later state; it is null when the response names nothing to read. When one of them fails, the whole call
 * responds with that failure.
 */
export async function sendExpanded(
  request: FastifyRequest,
  reply: FastifyReply,
  expandable: Expandable,
  names: readonly string[],
  data: unknown,
): Promise<FastifyReply> {
  const known = { ...(data as Record<string, unknown>), ...(request.params as object) };
  const answers = await Promise.all(
    names.map(async (name) => {
      const path = filledPath(expandable.get(name)?.path ?? '', known);
      return [name, path === undefined ? undefined : await readAsCaller(request, path)] as const;
    }),
  );
  const refused = answers.find(([, answer]) => answer !== undefined && answer.statusCode !== 200)?.[1];
  if (refused) {
    const { 'retry-after': retryAfter } = refused.headers;
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return reply.status(refused.statusCode).type('application/json; charset=utf-8').send(refused.payload);
  }
  const parts = Object.fromEntries(
    answers.map(([name, answer]) => [name, answer?.json<{ data: unknown }>().data ?? null] as const),
  );
  return reply.send({
    data: { ...(data as object), [expandedField]: parts },
    isSuccess: true,
    message: 'Success',
  } satisfies Envelope);
}
