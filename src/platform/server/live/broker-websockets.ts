// MQTT websockets: accepted at one path from our own pages and from machines. Limits the size of packets,
// which aedes does not.
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';
import type { ClientOrigin } from './broker-clients.ts';

const path = '/mqtt';
const maxPacketBytes = 64 * 1024;
/** A packet's type byte, plus the maximum length of its length field. */
const headBytes = 5;
/** TCP keep-alive detects a vanished client, even one that set no MQTT keep-alive. */
const tcpKeepAliveMs = 60_000;

export type WebSockets = {
  /** Rejects new connections and closes the open ones. */
  readonly close: () => void;
};

/** Passes on each websocket of the path that has an allowed Origin, as a stream. */
export function takeWebSockets(options: {
  readonly server: Server;
  readonly originAllowed: (request: IncomingMessage) => Promise<boolean>;
  readonly log: Logger;
  readonly addressOf: (request: IncomingMessage) => string;
  /** `whenClosed` registers a function to call when the websocket has closed. */
  readonly opened: (stream: Duplex, from: ClientOrigin, whenClosed: (then: () => void) => void) => void;
}): WebSockets {
  const { server, originAllowed, addressOf, opened, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxPacketBytes,
    handleProtocols: (protocols) => (protocols.has('mqtt') ? 'mqtt' : false),
  });
  const refuse = (socket: Duplex): void => {
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A query is rejected because URLs end up in logs, and clients might put their password there.
    if (request.url !== path) return refuse(socket);
    // Nothing else listens while the origin is looked up; without a listener a lost connection would end the
    // process.
    const lost = (): void => {
      socket.destroy();
    };
    socket.on('error', lost);
    originAllowed(request).then(
      (isAllowed) => {
        socket.off('error', lost);
        if (!isAllowed) refuse(socket);
        else if (!socket.destroyed) open(request, socket, head);
      },
      (error: unknown) => {
        log.warn({ err: error }, 'the origin of a live connection could not be looked up');
        refuse(socket);
      },
    );
  };
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (socket instanceof Socket) socket.setKeepAlive(true, tcpKeepAliveMs);
    const from: ClientOrigin = {
      address: addressOf(request),
      hasOrigin: request.headers.origin !== undefined,
      acceptLanguage: request.headers['accept-language'],
    };
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      boundPackets(webSocket);
      opened(createWebSocketStream(webSocket), from, (then) => webSocket.once('close', then));
    });
  };
  server.on('upgrade', upgrade);
  return {
    close: () => {
      server.off('upgrade', upgrade);
      for (const each of sockets.clients) each.terminate();
    },
  };
}

/** Closes a connection as soon as it sends text or announces an oversized packet, before the packet is buffered. */
function boundPackets(webSocket: WebSocket): void {
  const lengths = new PacketLengths();
  webSocket.on('message', (bytes: Buffer, isBinary) => {
    if (!isBinary || !lengths.areWithin(bytes)) webSocket.terminate();
  });
}

/**
 * Tracks the lengths that packets announce (MQTT 3.1.1, section 2.2.3), however they are split into websocket
 * messages.
 */
export class PacketLengths {
  /** How many bytes of the packet's header have been read, including its type. */
  #head = 0;
  #expectedBytes = 0;
  /** How many bytes of the packet's body are still missing. */
  #left = 0;

  /** Whether every packet that these bytes announce is within the limit. */
  areWithin(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      const byte = bytes.readUInt8(at++);
      if (this.#head++ === 0) continue;
      this.#expectedBytes += (byte & 127) * 128 ** (this.#head - 2);
      if (this.#expectedBytes > maxPacketBytes) return false;
      if (byte >= 128) {
        if (this.#head === headBytes) return false;
        continue;
      }
      this.#left = this.#expectedBytes;
      this.#expectedBytes = 0;
      this.#head = 0;
    }
    return true;
  }
}
