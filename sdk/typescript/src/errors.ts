// What a call throws that did not succeed.

/** A field that the console does not take as it is. */
export type FieldError = { readonly field: string; readonly code: string; readonly message: string };

/** The console refused a call, or did not answer. */
export class SkytallyError extends Error {
  override readonly name = 'SkytallyError';
  /** Stable, such as `billing.bill_not_found`; programs go by it. `network` when no answer came. */
  readonly code: string;
  /** The HTTP status of the answer; 0 when none came. */
  readonly status: number;
  /** The fields that are wrong, if any. */
  readonly errors: readonly FieldError[];
  /** By which the console's operator finds the call in the log. */
  readonly requestId: string | undefined;

  constructor(
    what: {
      message: string;
      code: string;
      status: number;
      errors?: readonly FieldError[];
      requestId?: string | undefined;
    },
    options?: { cause: unknown },
  ) {
    super(what.message, options);
    this.code = what.code;
    this.status = what.status;
    this.errors = what.errors ?? [];
    this.requestId = what.requestId;
  }
}

/** Whatever a call ended with, as the error that callers see: the console's envelope, another answer, or none. */
export function errorOf(thrown: unknown, response: Response | undefined): SkytallyError {
  if (response === undefined)
    return new SkytallyError(
      { message: thrown instanceof Error ? thrown.message : String(thrown), code: 'network', status: 0 },
      { cause: thrown },
    );
  const body: Partial<Record<string, unknown>> =
    typeof thrown === 'object' && thrown !== null ? { ...thrown } : {};
  return new SkytallyError({
    message:
      typeof body['message'] === 'string'
        ? body['message']
        : `${response.status} ${response.statusText}`.trim(),
    code: typeof body['code'] === 'string' ? body['code'] : `http.${response.status}`,
    status: response.status,
    errors: Array.isArray(body['errors']) ? (body['errors'] as FieldError[]) : [],
    requestId: typeof body['requestId'] === 'string' ? body['requestId'] : undefined,
  });
}
