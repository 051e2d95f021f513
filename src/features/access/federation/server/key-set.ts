// The public keys of another server, for verifying its signatures.
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
import type { Log } from '#platform/server/log.ts';
import { fetchJson } from '#platform/server/outbound/outbound.ts';
import { RemoteDocument } from './remote-document.ts';

type FindKey = (header: ProtectedHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
const shape = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The content of a verified token. */
export type Verified = { readonly payload: JWTPayload; readonly header: Readonly<Record<string, unknown>> };

/** The key set at one URL. Each issuer has its own, so that one issuer's key cannot sign for another. */
export class KeySet {
  readonly #document: RemoteDocument<FindKey>;

  constructor(address: string, log: Log) {
    this.#document = new RemoteDocument(async () => {
      const { keys } = z.parse(shape, await fetchJson(address));
      // A symmetric key in a public list is known to everybody, so it must never verify a signature.
      return createLocalJWKSet({ keys: keys.filter(({ kty }) => kty !== 'oct') });
    }, log);
  }

  /**
   * Verifies a token's signature with these keys and its claims with `options`. Only the header's `kid` and
   * `alg` select a key; keys in the token itself (`jwk`, `jku`, `x5u`) are ignored. For an unknown key the
   * set is fetched again, at most once a minute.
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
