// The yardstick of live delivery, in a separate process: bare websockets that send to every client.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer();
const sockets = new WebSocketServer({ server, path: '/mqtt', handleProtocols: () => 'mqtt' });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.on('message', ({ text }: { text: string }) => {
  const bytes = Buffer.from(text);
  for (const socket of sockets.clients) socket.send(bytes, { binary: true });
});
process.on('disconnect', () => process.exit());
