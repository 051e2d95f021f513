// TLS and SASL in front of librdkafka's own cluster, which has neither: a proxy on the same port of 127.0.0.2
// accepts connections over TLS, performs SASL itself as a broker does, and passes everything else on. Broker
// addresses in the cluster's responses are replaced by the proxy's.
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { connect, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { required } from '#kernel/assert.ts';
import { atFileEnd } from './clean-up.ts';
import type { Authority } from './certificates.ts';

const [clusterHost, guardHost] = ['127.0.0.1', '127.0.0.2'];
export type Sasl = { readonly mechanism: string; readonly user: string; readonly password: string };

/**
 * Guards the cluster at a port. With `tls` a client needs a certificate of its authority, unless SASL is
 * required. Returns the host.
 */
export async function guardKafka(
  port: number,
  { tls, sasl }: { readonly tls?: Authority; readonly sasl?: Sasl },
): Promise<string> {
  const take = (socket: Socket): void => guard(socket, port, sasl);
  const server: Server = tls
    ? createServer(
        {
          cert: tls.server.certificate,
          key: tls.server.key,
          ca: tls.certificate,
          requestCert: !sasl,
          rejectUnauthorized: !sasl,
        },
        take,
      )
    : createPlain(take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((ready) => server.listen(port, guardHost, ready));
  atFileEnd(() => void server.close());
  return guardHost;
}

function guard(socket: Socket, port: number, sasl: Sasl | undefined): void {
  const cluster = connect(port, clusterHost);
  const end = (): void => {
    socket.destroy();
    cluster.destroy();
  };
  for (const each of [socket, cluster]) each.on('error', end).on('close', end);
  const session = sasl && saslServer(sasl);
  frames(socket, (frame) => {
    const answer = session?.(frame);
    if (answer === 'refused') return end();
    if (answer) socket.write(framed(answer));
    else cluster.write(framed(frame));
  });
  // Both addresses have the same length, so the frame lengths stay correct.
  frames(cluster, (frame) =>
    socket.write(framed(Buffer.from(frame.toString('latin1').replaceAll(clusterHost, guardHost), 'latin1'))),
  );
}

/** Splits a stream into messages of the Kafka protocol, each preceded by a four-byte length. */
function frames(socket: Socket, take: (frame: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    pending = Buffer.concat([pending, piece]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE(0)) {
      const end = 4 + pending.readInt32BE(0);
      take(pending.subarray(4, end));
      pending = pending.subarray(end);
    }
  });
}
const framed = (frame: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(frame.length);
  return Buffer.concat([length, frame]);
};

const [saslHandshake, apiVersions, saslAuthenticate] = [17, 18, 36];
const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

/**
 * The broker's side of SASL (KIP-43, KIP-152): answers SASL requests, rejects others until the client is
 * authenticated.
 */
function saslServer(sasl: Sasl): (frame: Buffer) => Buffer | 'refused' | undefined {
  let isKnown = false;
  const steps = sasl.mechanism === 'PLAIN' ? plainServer(sasl) : scramServer(sasl);
  return (frame) => {
    const [api, correlation] = [frame.readInt16BE(0), frame.subarray(4, 8)];
    const body = frame.subarray(10 + Math.max(0, frame.readInt16BE(8)));
    if (api === saslHandshake) {
      const clientId = body.toString('utf8', 2, 2 + body.readInt16BE(0));
      const name = Buffer.from(sasl.mechanism);
      const list = Buffer.concat([Buffer.from([0, 0, 0, 1]), short(name.length), name]);
      return Buffer.concat([correlation, short(clientId === sasl.mechanism ? 0 : 33), list]);
    }
    if (api === saslAuthenticate) {
      // Version 2: a byte of tags after the header, then bytes preceded by their length plus one as a varint.
      const length =
        body.readUInt8(1) >= 0x80 ? (body.readUInt8(1) & 0x7f) | (body.readUInt8(2) << 7) : body.readUInt8(1);
      const from = body.readUInt8(1) >= 0x80 ? 3 : 2;
      const { said, done } = steps(body.subarray(from, from + length - 1).toString('utf8'));
      isKnown ||= done;
      const answer = Buffer.from(said ?? '');
      return Buffer.concat([
        correlation,
        Buffer.from([0]),
        short(said === undefined ? 58 : 0),
        Buffer.from([0]),
        lengthOf(answer.length + 1),
        answer,
        Buffer.alloc(8),
        Buffer.from([0]),
      ]);
    }
    return isKnown || api === apiVersions ? undefined : 'refused';
  };
}
const lengthOf = (value: number): Buffer =>
  Buffer.from(value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);

/** One step of a mechanism: the broker's response; undefined rejects the client. */
type Step = (said: string) => { readonly said: string | undefined; readonly done: boolean };
const refusal = { said: undefined, done: false };

const plainServer =
  ({ user, password }: Sasl): Step =>
  (said) =>
    said === `\0${user}\0${password}` ? { said: '', done: true } : refusal;

/** The server side of SCRAM (RFC 5802). */
function scramServer({ mechanism, user, password }: Sasl): Step {
  const digest = mechanism === 'SCRAM-SHA-512' ? 'sha512' : 'sha256';
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, digest === 'sha512' ? 64 : 32, digest);
  const mac = (key: Buffer, text: string): Buffer => createHmac(digest, key).update(text).digest();
  const clientKey = mac(salted, 'Client Key');
  const storedKey = createHash(digest).update(clientKey).digest();
  let begun: { readonly first: string; readonly challenge: string; readonly nonce: string } | undefined;
  return (said) => {
    if (!begun) {
      const first = said.replace(/^n,[^,]*,/, '');
      const [, name, clientNonce] = required(
        /^n=([^,]*),r=(.+)$/.exec(first) ?? undefined,
        'a first message',
      );
      if (name !== user) return refusal;
      const nonce = `${clientNonce}${randomBytes(12).toString('hex')}`;
      begun = { first, nonce, challenge: `r=${nonce},s=${salt.toString('base64')},i=${iterations}` };
      return { said: begun.challenge, done: false };
    }
    const [, bare, nonce, proof] = required(
      /^(c=[^,]*,r=([^,]*)),p=(.+)$/.exec(said) ?? undefined,
      'a proof',
    );
    const all = `${begun.first},${begun.challenge},${bare}`;
    const signature = mac(storedKey, all);
    const key = Buffer.from(proof ?? '', 'base64').map((byte, place) => byte ^ (signature[place] ?? 0));
    const shown = createHash(digest).update(key).digest();
    if (nonce !== begun.nonce || !timingSafeEqual(shown, storedKey)) return refusal;
    return { said: `v=${mac(mac(salted, 'Server Key'), all).toString('base64')}`, done: true };
  };
}
