// Ends requests whose body arrives too slowly: a slow but honest line gets through, a client that only holds
// a connection open does not (reliability.md 2.E-88, F17).
import type { IncomingMessage } from 'node:http';

/** The speed is checked after each period of this length: enough bytes must have arrived within it. */
const stretchMs = 25_000;
/** 32 KiB a second, about a quarter of a megabit: the slowest line on which an upload succeeds. */
const minBytes = (32 * 1024 * stretchMs) / 1000;

/**
 * Watches a request until its body is complete. A body that is too slow gets the response that Node sends for
 * slow headers: 408, and the connection is closed.
 */
export function watchBody(request: IncomingMessage): void {
  // Most bodies arrive in one piece with their headers and are complete when this turn of the event loop
  // ends.
  if (!request.complete && hasBody(request)) process.nextTick(watch, request);
}

function watch(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    if (socket.bytesRead - before < minBytes) {
      clearInterval(timer);
      socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
      socket.destroySoon();
      return;
    }
    before = socket.bytesRead;
  }, stretchMs);
  timer.unref();
  for (const event of ['end', 'close', 'aborted'] as const) request.once(event, () => clearInterval(timer));
}

/** Whether a request declares a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}
