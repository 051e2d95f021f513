// Sends a file and tells how much of it is on its way: `fetch` cannot, so this one call goes the older way.

export type Watched = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit;
  readonly signal: AbortSignal;
  /** Told again and again, from 0 to 1; 1 when the last byte has left. */
  readonly onSent: (ratio: number) => void;
};

/** Answers as `fetch` does, and rejects as it does: with the signal's reason, or with a TypeError when nobody answers. */
export function sendWatched(
  url: string,
  { method, headers, body, signal, onSent }: Watched,
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

/** Statuses whose answer may not have a body, not even an empty one. */
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
