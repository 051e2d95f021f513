// Another server's public keys, for checking what it signed.
import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type CryptoKey,
  type FlattenedJWSInput,
  type JWTPayload,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
} from 'jose';
import * as z from 'zod/mini';
import type { Log } from '../log.ts';
import { fetchJson } from '../outbound/outbound.ts';
import { RemoteDocument } from '../outbound/remote-document.ts';

type FindKey = (header: ProtectedHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
const shape = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** What a checked token says. */
export type Verified = { readonly payload: JWTPayload; readonly header: Readonly<Record<string, unknown>> };

/** The key set at one address. Keys of different issuers never meet: each has a set of its own. */
export class KeySet {
  readonly #document: RemoteDocument<FindKey>;

  constructor(address: string, log: Log) {
    this.#document = new RemoteDocument(async () => {
      const { keys } = z.parse(shape, await fetchJson(address));
      // A symmetric key in a public list is nobody's secret: it must never check anything.
      return createLocalJWKSet({ keys: keys.filter(({ kty }) => kty !== 'oct') });
    }, log);
  }

  /**
   * Checks a token's signature with these keys and its claims with `options`. Only the header's `kid` and `alg` choose a
   * key; what a token brings along (`jwk`, `jku`, `x5u`) is not looked at. An unknown key is asked for once a minute.
   */
  async verify(token: string, options: JWTVerifyOptions, now: Date): Promise<Verified> {
    const find: FindKey = async (header, input) => {
      const known = await this.#document.get(now);
      try {
        return await known(header, input);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await this.#document.refresh(now))(header, input);
      }
    };
    const { payload, protectedHeader } = await jwtVerify(token, find, { ...options, currentDate: now });
    return { payload, header: protectedHeader };
  }
}
