// Converts every failure of a request to an envelope: domain errors, invalid input and unexpected errors.
import type { FastifyError } from 'fastify';
import type * as z from 'zod/mini';
import type { Envelope } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { ValidationError, DomainError, type FieldError } from '#kernel/errors.ts';
import type { TextParams } from '#kernel/text.ts';
import type { App } from '../unit-of-work/ctx.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { hasCode } from '../system-error.ts';

export type Failure = { readonly status: number; readonly body: Envelope; readonly retryAfter?: number };

/** The error codes of requests that Fastify itself rejects, by HTTP status. */
const frameworkCodes: Readonly<Record<number, string>> = {
  400: 'platform.malformed',
  404: 'platform.not_found',
  405: 'platform.method_not_allowed',
  408: 'platform.too_slow',
  413: 'platform.too_large',
  415: 'platform.media_type',
  429: 'platform.too_many_requests',
  503: 'platform.busy',
};

const filesRetryAfterSeconds = 30;
// A failover completes within seconds.
const databaseRetryAfterSeconds = 2;

/** Converts zod's issues, parsed with `reportInput`, to field errors with codes that have translations. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    const field = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        field: field ? `${field}.${key}` : key,
        code: 'platform.field_unknown',
      }));
    const isMissing =
      issue.code === 'too_small'
        ? issue.origin === 'string' && issue.minimum === 1
        : ['invalid_type', 'invalid_union', 'custom'].includes(issue.code) &&
          (issue.input ?? undefined) === undefined;
    return [{ field, code: isMissing ? 'platform.field_required' : 'platform.field_invalid' }];
  });
}

/**
 * The envelope of a failure, in the language of the request. For unexpected errors it holds only the request
 * id; the caller logs them.
 */
export function failureOf(app: App, error: unknown, language: Language, requestId: string): Failure {
  const say = (key: string, params?: TextParams): string => app.translate(language, key, params);
  const failed = (
    status: number,
    code: string,
    params?: TextParams,
    more: Partial<Envelope> = {},
  ): Failure => ({
    status,
    body: { data: null, isSuccess: false, message: say(code, params), code, requestId, ...more },
  });
  if (error instanceof ValidationError) {
    const errors = error.fields.map(({ field, code, params }) => ({
      field,
      code,
      message: say(code, { field, ...params }),
    }));
    return failed(400, 'platform.invalid', undefined, {
      errors,
      ...(errors.length === 1 && errors[0] && { message: errors[0].message }),
    });
  }
  if (error instanceof DomainError) {
    const { code, fields, params } = error;
    const errors = fields.map((field) => ({ field, code, message: say(code, params) }));
    return {
      ...failed(error.status, code, params, errors.length > 0 ? { errors } : {}),
      ...(typeof params['retryAfter'] === 'number' && { retryAfter: params['retryAfter'] }),
    };
  }
  // Class 53 is what PostgreSQL reports when its disk is full, ENOSPC what the operating system reports.
  if (hasCode(error, '53100', 'ENOSPC')) return failed(507, 'platform.no_space');
  // The database is restarting or failing over. Idempotency keys and event ids make retries safe.
  if (isDatabaseUnavailable(error))
    return { ...failed(503, 'platform.database_unavailable'), retryAfter: databaseRetryAfterSeconds };
  // A bucket that refuses or does not respond: nothing was lost, and it may recover.
  if (hasCode(error, 'FILES'))
    return { ...failed(503, 'platform.files_unavailable'), retryAfter: filesRetryAfterSeconds };
  const status =
    error instanceof Error && 'statusCode' in error ? ((error as FastifyError).statusCode ?? 500) : 500;
  const code = frameworkCodes[status];
  return code ? failed(status, code) : failed(500, 'platform.fault', { requestId });
}
