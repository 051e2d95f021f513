// MQTT 3.1.1 packets in and out of websocket messages, which cut them as they like (mqtt-packet does the reading itself).
import { generate, parser, type IConnectPacket, type Packet } from 'mqtt-packet';

export const maxPacketBytes = 64 * 1024;
const headBytes = 5;
const connectType = 1;

/** The bytes are no MQTT 3.1.1: their connection must end. */
export class Malformed extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'Malformed';
  }
}

/**
 * Puts one connection's bytes together to whole packets, and refuses one by the length that it announces, before any of it
 * is kept. It holds nothing while no packet is under way: there are thousands of these.
 */
export class PacketAssembler {
  #rest: Buffer | undefined;

  /** The packets that are complete with these bytes, in their order. Throws {@link Malformed}. */
  take(bytes: Buffer): Buffer[] {
    const all = this.#rest ? Buffer.concat([this.#rest, bytes]) : bytes;
    const whole: Buffer[] = [];
    let at = 0;
    for (;;) {
      const length = packetLength(all, at);
      if (length === undefined || at + length > all.length) break;
      whole.push(all.subarray(at, at + length));
      at += length;
    }
    // A copy: a view would keep everything alive that was read with it.
    this.#rest = at === all.length ? undefined : Buffer.from(all.subarray(at));
    return whole;
  }
}

/** The bytes of the packet that begins there, head included; undefined when its head is not there yet. */
function packetLength(bytes: Buffer, at: number): number | undefined {
  let length = 0;
  for (let place = 1; place < headBytes; place++) {
    const byte = bytes[at + place];
    if (byte === undefined) return undefined;
    length += (byte & 127) * 128 ** (place - 1);
    if (length > maxPacketBytes) throw new Malformed(`a packet of ${length} bytes or more`);
    if (byte < 128) return 1 + place + length;
  }
  throw new Malformed('a remaining length of more than four bytes');
}

/** Reads one whole packet. Throws {@link Malformed}. */
export function readPacket(bytes: Buffer): Packet {
  // Its reader takes each CONNECT as the rule for what follows: they get one of their own, the others share one.
  if ((bytes[0] ?? 0) >> 4 === connectType) return packetReader()(bytes);
  try {
    return readOther(bytes);
  } catch (error) {
    // A reader that met a bad packet misreads the next one, which may be somebody else's.
    readOther = packetReader();
    throw error;
  }
}

/** A reader of whole packets. */
function packetReader(): (bytes: Buffer) => Packet {
  const found: { packet?: Packet; error?: unknown } = {};
  const reading = parser({ protocolVersion: 4 });
  reading.on('packet', (packet) => (found.packet ??= packet));
  reading.on('error', (error: unknown) => (found.error = error));
  return (bytes) => {
    delete found.packet;
    reading.parse(bytes);
    if (found.error !== undefined || !found.packet)
      throw new Malformed(found.error instanceof Error ? found.error.message : 'no packet');
    return found.packet;
  };
}
let readOther = packetReader();

/** A name or topic as MQTT has it: UTF-8 without NUL. What was no UTF-8 has been read as U+FFFD, which nothing of ours contains. */
// eslint-disable-next-line no-control-regex -- NUL is what must not be there (MQTT-1.5.3-2)
export const isMqttText = (text: string): boolean => text.length > 0 && !/[\0\uFFFD]/.test(text);

/** Why CONNECT is refused (MQTT 3.1.1, table 3.1). */
export const connectRefusals = { protocol: 1, name: 2, credentials: 4, forbidden: 5 } as const;

export const connectAnswer = (returnCode: number): Buffer =>
  generate({ cmd: 'connack', returnCode, sessionPresent: false });
/** Each topic's answer: granted with quality of service 0, as nothing is kept to be sent again, or refused. */
export const subscribeAnswer = (messageId: number, granted: readonly boolean[]): Buffer =>
  generate({ cmd: 'suback', messageId, granted: granted.map((isGranted) => (isGranted ? 0 : 0x80)) });
export const answer = (cmd: 'puback' | 'pubrec' | 'pubcomp', messageId: number): Buffer =>
  generate({ cmd, messageId });
export const unsubscribeAnswer = (messageId: number): Buffer =>
  generate({ cmd: 'unsuback', messageId, granted: [] });
export const pingAnswer: Buffer = generate({ cmd: 'pingresp' });

/** A message as the bytes of a websocket: encoded once, they go to every hearer as they are. */
export function messageFrame(topic: string, payload: string): Buffer {
  const packet = generate({ cmd: 'publish', qos: 0, retain: false, dup: false, topic, payload });
  return Buffer.concat([frameHead(packet.length), packet]);
}

/** The head of a server's unmasked binary websocket frame (RFC 6455, section 5.2). */
function frameHead(length: number): Buffer {
  const finalBinary = 0x82;
  if (length < 126) return Buffer.from([finalBinary, length]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = finalBinary;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** The protocol levels that are spoken: 3.1 and 3.1.1. */
export const isSpoken = ({ protocolVersion }: IConnectPacket): boolean =>
  protocolVersion === 3 || protocolVersion === 4;
