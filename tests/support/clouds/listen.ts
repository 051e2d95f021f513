// An HTTP server that responds with JSON and ends with the test file.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../clean-up.ts';

export type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly request: IncomingMessage;
};
export type Reply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};

/** Returns its address. A text body is sent unchanged. */
export async function listen(
  answer: (asked: Asked, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>,
): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'http://fake'),
        body: Buffer.concat(parts).toString('utf8'),
        request,
      };
      void Promise.resolve(answer(received, response)).then((reply) => {
        // No reply: the test keeps the caller waiting.
        if (!reply) return;
        response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
      });
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
