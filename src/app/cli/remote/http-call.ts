// Calls a console's API over the network, using the contracts of this release.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { pathNames, type Envelope, type Route } from '#kernel/contract.ts';
import { type Language, tagOf } from '#kernel/language.ts';
import { ValidationError } from '#kernel/errors.ts';
import { parseJson } from '#kernel/parse-json.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import type { Call } from '../caller.ts';
import { CommandRefused } from '../command-refused.ts';
import type { Say } from './session.ts';

const Answer = z.object({
  data: z.unknown(),
  isSuccess: z.boolean(),
  message: z.string(),
  code: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ field: z.string(), code: z.string(), message: z.string() }))),
  requestId: z.optional(z.string()),
});

/** A call that the console rejected; `message` is its sentence, in the requested language. */
export class CallRefused extends CommandRefused {
  readonly code: string;

  constructor(answer: Envelope, status: number) {
    const fields = (answer.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
    // The overall message often repeats that of the first field.
    const whole = answer.errors?.[0]?.message === answer.message ? [] : [answer.message];
    super([...whole, ...fields].join('\n  '));
    this.code = answer.code ?? `http.${status}`;
  }
}

export type Send = (request: {
  readonly method: string;
  /** Path and query, appended to the address: `/api/bills?limit=1`. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly type?: string;
}) => Promise<unknown>;

/** Sends requests to one console and returns the data of the envelope. Omit `key` for calls that need none. */
export function sender(
  where: { readonly address: string; readonly key?: string },
  language: Language,
  say: Say,
): Send {
  return async ({ method, path, body, type = 'application/json' }) => {
    let response: Response;
    try {
      response = await fetch(`${where.address}${path}`, {
        method,
        headers: {
          'accept-language': tagOf(language),
          'user-agent': 'skytally-cli',
          ...(where.key !== undefined && { authorization: `Bearer ${where.key}` }),
          ...(body !== undefined && { 'content-type': type }),
          ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        },
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      throw new CommandRefused(
        say('cli.unreachable', {
          address: where.address,
          reason:
            error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error),
        }),
      );
    }
    const text = await response.text();
    const answer = z.safeParse(Answer, parseJson(text));
    // A file, or a response from something in between that is not a console.
    if (!answer.success) {
      if (response.ok && path.startsWith('/api/')) return text;
      throw new CommandRefused(
        say('cli.no_console', { address: where.address, status: String(response.status) }),
      );
    }
    if (!response.ok) throw new CallRefused(answer.data as Envelope, response.status);
    return answer.data.data;
  };
}

/** Calls the routes of contracts through that sender. */
export function caller(send: Send): Call {
  return async <R extends Route>(route: R, input: z.input<R['input']>): Promise<z.output<R['output']>> => {
    const parsed = z.safeParse(route.input, input);
    if (!parsed.success) throw new ValidationError(fieldErrors(parsed.error.issues));
    const data = await send(requestOf(route, z.encode(route.input, parsed.data)));
    return z.decode(route.output, data as z.input<R['output']>) as z.output<R['output']>;
  };
}

/** The request of a route: path, query or body, as defined by the contract. */
function requestOf(
  route: Route,
  fields: Readonly<Record<string, unknown>>,
): { method: string; path: string; body?: string } {
  const places = pathNames(route.path);
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const rest = Object.entries(fields).filter(
    ([name, value]) => !places.includes(name) && value !== undefined,
  );
  if (route.method !== 'GET' && route.method !== 'DELETE')
    return { method: route.method, path: `/api${path}`, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
  return { method: route.method, path: `/api${path}${rest.length > 0 ? `?${query.toString()}` : ''}` };
}
