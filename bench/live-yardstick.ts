// The yardsticks of live delivery, in a process of their own: plain aedes, or bare websockets that send to everybody.
import { createServer } from 'node:http';
import { Aedes } from 'aedes';
import { createWebSocketStream, WebSocketServer } from 'ws';

const kind = process.argv[2];
const server = createServer();
let publish: (topic: string, text: string) => void;
if (kind === 'aedes') {
  const aedes = await Aedes.createBroker();
  const sockets = new WebSocketServer({ server, path: '/mqtt', handleProtocols: () => 'mqtt' });
  sockets.on('connection', (socket, request) => {
    const stream = createWebSocketStream(socket);
    stream.on('error', () => undefined);
    aedes.handle(stream, request);
  });
  publish = (topic, payload) =>
    aedes.publish({ cmd: 'publish', qos: 0, retain: false, dup: false, topic, payload }, () => undefined);
} else {
  const sockets = new WebSocketServer({ server, path: '/mqtt', handleProtocols: () => 'mqtt' });
  publish = (_topic, text) => {
    const bytes = Buffer.from(text);
    for (const socket of sockets.clients) socket.send(bytes, { binary: true });
  };
}
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.on('message', ({ topic, text }: { topic: string; text: string }) => publish(topic, text));
process.on('disconnect', () => process.exit());
