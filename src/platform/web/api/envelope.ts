// Converts every form of the API's answers to { data, isSuccess, message, headers } (R-API-02, R-API-03).

/** One invalid field, with a message in the request's language. */
export type FieldProblem = { readonly field: string; readonly code: string; readonly message: string };

export type Wrapped = {
  readonly data: unknown;
  readonly isSuccess: boolean;
  readonly message: string;
  readonly headers: Headers;
  readonly code?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
};

/** The envelope's fixed words; they are part of the API and are not translated (R-API-02). */
export const defaultSuccess = 'Success';
export const defaultFailure = 'Error occurred';
export const unknownError = 'Unknown Error!';
export const fileDownloaded = 'File downloaded successfully';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Reads the envelope `{ data, isSuccess, message }`, the older form (a list of results, each with a list of
 * messages, where 'Success' means success) and permission answers (`success`, `msg`, `data.msg`). `ok`:
 * whether the HTTP status was a success; it decides when the body does not.
 */
export function readEnvelope(body: unknown, ok: boolean, headers: Headers): Wrapped {
  const results = resultsOf(body);
  if (results) return fromResults(results, body, ok, headers);
  if (isObject(body) && typeof body.success === 'boolean') return fromPermission(body, ok, headers);
  if (isObject(body) && ('isSuccess' in body || 'data' in body || 'message' in body))
    return fromEnvelope(body, ok, headers);
  return {
    data: ok ? (body ?? null) : null,
    isSuccess: ok,
    message: ok ? defaultSuccess : defaultFailure,
    headers,
  };
}

function fromEnvelope(body: Json, ok: boolean, headers: Headers): Wrapped {
  const isSuccess = ok && (typeof body.isSuccess === 'boolean' ? body.isSuccess : true);
  return {
    data: body.data ?? null,
    isSuccess,
    message: textIn(body.message) ?? (isSuccess ? defaultSuccess : defaultFailure),
    headers,
    code: textIn(body.code),
    errors: Array.isArray(body.errors) ? body.errors.filter(isFieldProblem) : undefined,
    requestId: textIn(body.requestId) ?? textIn(headers.get('x-request-id')),
  };
}

function fromPermission(body: Json, ok: boolean, headers: Headers): Wrapped {
  const isSuccess = ok && body.success === true;
  const inner = isObject(body.data) ? textIn(body.data.msg) : undefined;
  const message = textIn(body.msg) ?? inner ?? (isSuccess ? defaultSuccess : defaultFailure);
  return { data: body.data ?? null, isSuccess, message: isSuccess ? defaultSuccess : message, headers };
}

function fromResults(results: Json[], body: unknown, ok: boolean, headers: Headers): Wrapped {
  const messages = results.flatMap(messagesOf);
  const problem = messages.find((message) => message !== defaultSuccess);
  const isSuccess = ok && problem === undefined && messages.length > 0;
  const data = isObject(body) && 'data' in body && !Array.isArray(body.data) ? (body.data ?? null) : null;
  return { data, isSuccess, message: isSuccess ? defaultSuccess : (problem ?? defaultFailure), headers };
}

function resultsOf(body: unknown): Json[] | undefined {
  const list = Array.isArray(body) ? body : isObject(body) ? (body.results ?? body.result) : undefined;
  return Array.isArray(list) &&
    list.length > 0 &&
    list.every((item) => isObject(item) && messageList(item) !== undefined)
    ? (list as Json[])
    : undefined;
}

const messageList = (item: Json): unknown[] | undefined =>
  [item.messages, item.message].find((list): list is unknown[] => Array.isArray(list));
const messagesOf = (item: Json): string[] =>
  (messageList(item) ?? []).filter((text): text is string => typeof text === 'string');
const isFieldProblem = (value: unknown): value is FieldProblem =>
  isObject(value) &&
  typeof value.field === 'string' &&
  typeof value.code === 'string' &&
  typeof value.message === 'string';

/**
 * The toast for a result: a success only for 'Success', an error for any other message, and 'Unknown Error!'
 * without a result.
 */
export function toastOf(result: { readonly message: string } | null | undefined): {
  kind: 'success' | 'error';
  message: string;
} {
  if (!result) return { kind: 'error', message: unknownError };
  return { kind: result.message === defaultSuccess ? 'success' : 'error', message: result.message };
}
