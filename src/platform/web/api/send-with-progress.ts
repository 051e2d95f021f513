// Sends a file and reports progress. `fetch` cannot report upload progress, so this uses XMLHttpRequest.

export type UploadRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit;
  readonly signal: AbortSignal;
  /** Called repeatedly with the share from 0 to 1; 1 when the last byte has been sent. */
  readonly onSent: (ratio: number) => void;
};

/**
 * Resolves and rejects like `fetch`: with the signal's reason when aborted, with a TypeError when there is no
 * response.
 */
export function sendWithProgress(
  url: string,
  { method, headers, body, signal, onSent }: UploadRequest,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  const stop = (): void => request.abort();
  request.open(method, url);
  request.responseType = 'blob';
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
  request.upload.addEventListener('load', () => onSent(1));
  request.addEventListener('load', () =>
    resolve(
      new Response(bodiless.includes(request.status) ? null : (request.response as Blob), {
        status: request.status,
        headers: headersOf(request.getAllResponseHeaders()),
      }),
    ),
  );
  request.addEventListener('error', () => reject(new TypeError('no answer')));
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
  signal.addEventListener('abort', stop);
  if (signal.aborted) reject(signal.reason);
  else request.send(body as XMLHttpRequestBodyInit);
  return promise;
}

/** Statuses for which a `Response` must not have a body, not even an empty one. */
const bodiless = [204, 205, 304];

const headersOf = (lines: string): Headers =>
  new Headers(
    lines
      .trim()
      .split('\r\n')
      .filter(Boolean)
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
