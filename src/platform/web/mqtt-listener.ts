// A listener of MQTT 3.1.1 over a websocket: it signs in, hears topics at most once each message, and sends nothing. Everything a console's page
// does with MQTT is here; a whole client is a quarter of the code a page is given. Source: OASIS MQTT 3.1.1, sections 2 and 3.

export type Hearing = {
  /** ws://host/mqtt */
  readonly url: string;
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  readonly topics: readonly string[];
  /** Every topic was answered: from now on messages arrive. */
  readonly onLive: () => void;
  readonly onMessage: (topic: string, payload: string) => void;
  /** Once, whyever it ended: refused, lost, silent, or not spoken rightly. Not after `end()`. */
  readonly onClose: () => void;
};

const keepAliveSeconds = 30;
/** Without an answer to the first packets for so long there is nobody there. */
const connectMs = 15_000;
/** The largest packet that is waited for, in bytes. What the console sends is a hundredth of it. */
const largestPacket = 256 * 1024;

const packet = {
  connect: 0x10,
  connected: 0x20,
  publish: 0x30,
  subscribe: 0x82,
  subscribed: 0x90,
  ping: 0xc0,
  pong: 0xd0,
  disconnect: 0xe0,
} as const;

/** Connects and listens until the returned function is called, or the connection ends. */
export function hear(hearing: Hearing): () => void {
  const socket = new WebSocket(hearing.url, 'mqtt');
  socket.binaryType = 'arraybuffer';
  const packets = new PacketReader();
  let unanswered = hearing.topics.length;
  let isHeard = false;
  let hasEnded = false;
  const send = (kind: number, ...parts: readonly Uint8Array[]): void => socket.send(encode(kind, parts));

  const end = (): void => {
    hasEnded = true;
    clearTimeout(connecting);
    clearInterval(pinging);
    socket.close();
  };
  const lost = (): void => {
    if (hasEnded) return;
    end();
    hearing.onClose();
  };
  const connecting = setTimeout(lost, connectMs);
  // What was heard since the last look says that the other side is there; twice nothing, and it is gone.
  const pinging = setInterval(() => {
    if (unanswered > 0 || socket.readyState !== WebSocket.OPEN) return;
    if (!isHeard) return lost();
    isHeard = false;
    send(packet.ping);
  }, keepAliveSeconds * 1000);

  const answered = (): void => {
    if (--unanswered > 0) return;
    clearTimeout(connecting);
    hearing.onLive();
  };
  const take = (bytes: Uint8Array): void => {
    const body = bytes.subarray(1);
    switch ((bytes[0] ?? 0) & 0xf0) {
      case packet.connected:
        if (body[1] !== 0) return lost();
        // One by one: a refused topic would take the others with it.
        for (const [index, topic] of hearing.topics.entries())
          send(packet.subscribe, number16(index + 1), text(topic), Uint8Array.of(0));
        return;
      case packet.subscribed:
        return answered();
      case packet.publish: {
        const length = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
        return hearing.onMessage(
          decoder.decode(body.subarray(2, 2 + length)),
          decoder.decode(body.subarray(2 + length)),
        );
      }
      case packet.pong:
        return;
      // Nothing else is sent to somebody who only listens.
      default:
        return lost();
    }
  };

  socket.onopen = () =>
    send(
      packet.connect,
      text('MQTT'),
      Uint8Array.of(4, 0b1100_0010),
      number16(keepAliveSeconds),
      text(hearing.clientId),
      text(hearing.userName),
      text(hearing.password),
    );
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    isHeard = true;
    const found = packets.take(new Uint8Array(data));
    if (!found) return lost();
    for (const one of found) if (!hasEnded) take(one);
  };
  socket.onclose = lost;
  return () => {
    if (socket.readyState === WebSocket.OPEN) send(packet.disconnect);
    end();
  };
}

/** Cuts what arrives into packets: a frame of the websocket may hold several, or a part of one. */
class PacketReader {
  #rest = new Uint8Array();

  /** The whole packets so far, each as its first byte and its body; undefined when this is no MQTT. */
  take(bytes: Uint8Array): Uint8Array[] | undefined {
    const all = joined([this.#rest, bytes]);
    const found: Uint8Array[] = [];
    let at = 0;
    while (at < all.length) {
      const length = lengthAt(all, at + 1);
      if (length === 'wrong' || (length && length.value > largestPacket)) return undefined;
      if (!length || length.end + length.value > all.length) break;
      found.push(joined([all.subarray(at, at + 1), all.subarray(length.end, length.end + length.value)]));
      at = length.end + length.value;
    }
    this.#rest = all.slice(at);
    return found;
  }
}

/** The remaining length of section 2.2.3: seven bits a byte, four bytes at most. Undefined while some of it is missing. */
function lengthAt(
  bytes: Uint8Array,
  from: number,
): { readonly value: number; readonly end: number } | 'wrong' | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) return undefined;
    value += (byte & 127) * 128 ** index;
    if (byte < 128) return { value, end: from + index + 1 };
  }
  return 'wrong';
}

function encode(kind: number, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = joined(parts);
  const head = [kind];
  let left = body.length;
  do {
    head.push((left % 128) + (left > 127 ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return joined([Uint8Array.from(head), body]);
}

const decoder = new TextDecoder();
const number16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 255);

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return joined([number16(bytes.length), bytes]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
