// A simulated push service with its browsers: accepts messages, verifies their sender, and decrypts them.
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { importJWK, jwtVerify } from 'jose';
import { StandIn } from './stand-in.ts';

export type Pushed = {
  readonly message: { title: string; body: string; link: string | null; tag: string };
  readonly headers: IncomingHttpHeaders;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: string;
};

/** A browser's keys, as made by its PushManager, and its decryption of a message (RFC 8291, section 3.4). */
export class FakeBrowser {
  readonly #curve = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly #publicKey: Buffer;

  constructor() {
    this.#publicKey = this.#curve.generateKeys();
  }

  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.#publicKey.toString('base64url'), auth: this.#auth.toString('base64url') };
  }

  /** The text of one record in aes128gcm (RFC 8188). */
  decrypt(body: Buffer): string {
    const [salt, names] = [body.subarray(0, 16), body[20] ?? 0];
    const senderKey = body.subarray(21, 21 + names);
    const shared = this.#curve.computeSecret(senderKey);
    const material = derive(
      shared,
      this.#auth,
      Buffer.concat([Buffer.from('WebPush: info\0'), this.#publicKey, senderKey]),
      32,
    );
    const sealed = body.subarray(21 + names);
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
      derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
      { authTagLength: 16 },
    );
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // The last record ends with 2 and zeros.
    const end = padded.lastIndexOf(2);
    return padded.subarray(0, end).toString('utf8');
  }
}

const derive = (material: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', material, salt, info, length));

export class FakePushService extends StandIn {
  readonly browsers = new Map<string, FakeBrowser>();
  readonly pushed: Pushed[] = [];
  /** The responses to the next messages, in order; 201 after that. */
  readonly answers: { status: number; text: string }[] = [];
  calls = 0;

  /** A browser's subscription, as it registers it. */
  subscribe(name: string): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const browser = new FakeBrowser();
    this.browsers.set(name, browser);
    return { endpoint: `${this.address}/push/${name}`, keys: browser.keys };
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.calls++;
    const answer = this.answers.shift();
    if (answer) return void response.writeHead(answer.status).end(answer.text);
    const browser = this.browsers.get(request.url?.split('/').at(-1) ?? '');
    if (!browser) return void response.writeHead(404).end();
    // RFC 8292, section 3: `vapid t=<JWT>, k=<public key>`.
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const point = Buffer.from(key, 'base64url');
    const { payload } = await jwtVerify(
      token,
      await importJWK(
        {
          kty: 'EC',
          crv: 'P-256',
          x: point.subarray(1, 33).toString('base64url'),
          y: point.subarray(33).toString('base64url'),
        },
        'ES256',
      ),
      { audience: this.address },
    );
    this.pushed.push({
      message: JSON.parse(browser.decrypt(body)) as Pushed['message'],
      headers: request.headers,
      claims: payload,
      key,
    });
    response.writeHead(201).end();
  }
}
