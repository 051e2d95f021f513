// Turns every failure of a request into an envelope: domain errors, invalid input and unexpected errors.
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

/** The error codes for the requests that Fastify itself rejects, by HTTP status. */
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
// A new primary is there within seconds.
const databaseRetryAfterSeconds = 2;

/** Turns zod's issues into field errors with codes that have translations. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    const field = issue.path.map(String).join('.');
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({
          field: field ? `${field}.${key}` : key,
          code: 'platform.field_unknown',
        }));
      case 'invalid_type':
        return [
          { field, code: issue.input === undefined ? 'platform.field_required' : 'platform.field_invalid' },
        ];
      case 'too_small':
        return [
          {
            field,
            code:
              issue.origin === 'string' && issue.minimum === 1
                ? 'platform.field_required'
                : 'platform.field_invalid',
          },
        ];
      case 'invalid_union':
      case 'custom':
        return [
          { field, code: issue.input === undefined ? 'platform.field_required' : 'platform.field_invalid' },
        ];
      default:
        return [{ field, code: 'platform.field_invalid' }];
    }
  });
}

/**
 * The envelope of a failure, in the language of the request. Unexpected errors are logged by the caller; the
 * envelope has only their request id.
 */
export function failureOf(app: App, error: unknown, language: Language, requestId: string): Failure {
  const say = (key: string, params?: TextParams): string => app.translate(language, key, params);
  if (error instanceof ValidationError) {
    const errors = error.fields.map((field) => ({
      field: field.field,
      code: field.code,
      message: say(field.code, { field: field.field, ...field.params }),
    }));
    return {
      status: 400,
      body: {
        data: null,
        isSuccess: false,
        message: errors.length === 1 && errors[0] ? errors[0].message : say('platform.invalid'),
        code: 'platform.invalid',
        errors,
        requestId,
      },
    };
  }
  if (error instanceof DomainError) {
    const retryAfter =
      typeof error.params['retryAfter'] === 'number' ? { retryAfter: error.params['retryAfter'] } : {};
    const message = say(error.code, error.params);
    const errors =
      error.fields.length === 0
        ? {}
        : { errors: error.fields.map((field) => ({ field, code: error.code, message })) };
    return {
      status: error.status,
      body: { data: null, isSuccess: false, message, code: error.code, ...errors, requestId },
      ...retryAfter,
    };
  }
  // Class 53 is what PostgreSQL reports when its disk is full, ENOSPC what the operating system reports.
  if (hasCode(error, '53100', 'ENOSPC'))
    return {
      status: 507,
      body: {
        data: null,
        isSuccess: false,
        message: say('platform.no_space'),
        code: 'platform.no_space',
        requestId,
      },
    };
  // The database restarts, or another server takes over. Keys of idempotency and ids of events make it safe to ask again.
  if (isDatabaseUnavailable(error))
    return {
      status: 503,
      body: {
        data: null,
        isSuccess: false,
        message: say('platform.database_unavailable'),
        code: 'platform.database_unavailable',
        requestId,
      },
      retryAfter: databaseRetryAfterSeconds,
    };
  // A bucket that refuses or does not answer: nothing was lost, and it may come back.
  if (hasCode(error, 'FILES'))
    return {
      status: 503,
      body: {
        data: null,
        isSuccess: false,
        message: say('platform.files_unavailable'),
        code: 'platform.files_unavailable',
        requestId,
      },
      retryAfter: filesRetryAfterSeconds,
    };
  const status =
    error instanceof Error && 'statusCode' in error ? ((error as FastifyError).statusCode ?? 500) : 500;
  const code = frameworkCodes[status];
  if (code) return { status, body: { data: null, isSuccess: false, message: say(code), code, requestId } };
  return {
    status: 500,
    body: {
      data: null,
      isSuccess: false,
      message: say('platform.fault', { requestId }),
      code: 'platform.fault',
      requestId,
    },
  };
}
