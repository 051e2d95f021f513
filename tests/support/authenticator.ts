// A passkey for tests, made with node:crypto: a device's responses, and forged ones.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The part of CBOR that WebAuthn responses need. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (kind: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(kind << 5) | length])
      : length < 256
        ? Buffer.from([(kind << 5) | 24, length])
        : Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one as Buffer)]),
  ]);
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** How a forged response differs from a device's. */
export type Forgery = {
  readonly origin?: string;
  readonly site?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly challenge?: string;
};

/** A device with one passkey for http://localhost. */
export class TestAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  #counter = 0;

  #data(kind: string, challenge: string, forged: Forgery): string {
    return Buffer.from(
      JSON.stringify({
        type: kind,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? 'http://localhost:3000',
        crossOrigin: false,
      }),
    ).toString('base64url');
  }

  /**
   * The authenticator data: the site, whether the user was present and verified, and the signature counter.
   */
  #authData(forged: Forgery, rest: Buffer = Buffer.alloc(0)): Buffer {
    const flags = 1 | (forged.isVerified === false ? 0 : 4) | (rest.length > 0 ? 64 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? ++this.#counter);
    return Buffer.concat([sha256(forged.site ?? 'localhost'), Buffer.from([flags]), counter, rest]);
  }

  #credential(): { id: string; rawId: string; type: 'public-key' } {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key' };
  }

  /** The response to registration options. */
  make(options: Record<string, unknown>, forged: Forgery = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const authData = this.#authData(
      forged,
      Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, key]),
    );
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    ).toString('base64url');
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#data('webauthn.create', String(options['challenge']), forged),
        attestationObject,
        transports: ['internal'],
      },
    };
  }

  /** The response to sign-in options. */
  sign(options: Record<string, unknown>, forged: Forgery = {}) {
    const clientDataJSON = this.#data('webauthn.get', String(options['challenge']), forged);
    const authData = this.#authData(forged);
    const signature = sign(
      'sha256',
      Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]),
      this.#keys.privateKey,
    ).toString('base64url');
    return {
      ...this.#credential(),
      response: { clientDataJSON, authenticatorData: authData.toString('base64url'), signature },
    };
  }
}
