import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { endConnectionsOnClose } from './closing-connections.ts';

it('a closing server ends idle connections, completes running requests, and waits for nothing else', async () => {
  const fastify = Fastify({ forceCloseConnections: 'idle', connectionTimeout: 600_000 });
  endConnectionsOnClose(fastify);
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<undefined>();
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<undefined>();
  fastify.get('/', async () => {
    ask(undefined);
    await mayAnswer;
    return 'whole';
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const unused = connect(port, '127.0.0.1');
  await once(fastify.server, 'connection');
  const answered = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await isAsked;
  const closing = fastify.close();
  await once(unused.resume(), 'close');
  answer(undefined);
  expect(await answered).toBe('whole');
  await closing;
});
