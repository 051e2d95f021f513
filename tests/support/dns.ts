// A DNS server over UDP that answers TXT queries, for tests of mail domains.
import { createSocket } from 'node:dgram';
import { atFileEnd } from './clean-up.ts';

export type TestDns = {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  readonly address: string;
  /** The texts of names; a name without an entry does not exist. */
  readonly texts: Map<string, readonly string[]>;
};

/** The queried name, and where the query ends. */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(message: Buffer, texts: readonly string[] | undefined, end: number): Buffer {
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  // An authoritative response; 3 means that the name does not exist.
  head.writeUInt16BE(0x8580 | (texts === undefined ? 3 : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(texts?.length ?? 0, 6);
  const records = (texts ?? []).map((text) => {
    const pieces = (text.match(/.{1,255}/gs) ?? ['']).map((piece) =>
      Buffer.concat([Buffer.from([Buffer.byteLength(piece)]), Buffer.from(piece)]),
    );
    const data = Buffer.concat(pieces);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(16, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(1, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, message.subarray(12, end), ...records]);
}

/** Starts a server on a free port, until the end of the test file. */
export async function startTestDns(): Promise<TestDns> {
  const texts = new Map<string, readonly string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, end } = readName(message);
    socket.send(answerTo(message, texts.get(name), end), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  atFileEnd(
    () =>
      new Promise<void>((resolve) => {
        socket.close(() => resolve());
      }),
  );
  return { address: `127.0.0.1:${socket.address().port}`, texts };
}
