// A client for the API of a Skytally console. Types and calls are generated from the API document; errors, retries, pages and the signatures
// of webhooks are written by hand.
import { createClient, createConfig } from './generated/client/index.js';
import { Operations } from './generated/sdk.gen.js';
import { errorOf } from './errors.js';
import { retrying, type RetryOptions } from './retries.js';

export type SkytallyOptions = Partial<RetryOptions> & {
  /** The console's address, such as `https://console.example.com`. */
  readonly address: string;
  /** The secret of an API key. */
  readonly key: string;
  /** The language of error messages (`enUS`). */
  readonly language?: 'zhTW' | 'enUS';
};

const usual: RetryOptions = {
  maxAttempts: 5,
  timeoutMs: 60_000,
  fetch: (request) => globalThis.fetch(request),
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
};
const isEnvelope = (body: unknown): body is { data: unknown } =>
  typeof body === 'object' && body !== null && 'data' in body && 'isSuccess' in body;

/**
 * The calls of a console, by feature: `await skytally.billing.adminListBills({ query: { month: '2026-10' } })`. A call answers its data, or
 * throws a {@link SkytallyError}.
 */
export class Skytally extends Operations {
  constructor(options: SkytallyOptions) {
    if (!/^https?:\/\//.test(options.address))
      throw new TypeError('address must begin with https:// or http://');
    if (options.key === '') throw new TypeError('key is empty');
    const client = createClient(
      createConfig({
        baseUrl: options.address.replace(/\/+$/, ''),
        throwOnError: true,
        responseStyle: 'data',
        headers: {
          authorization: `Bearer ${options.key}`,
          'accept-language': options.language === 'zhTW' ? 'zh-TW' : 'en-US',
        },
        fetch: retrying({ ...usual, ...options }) as typeof fetch,
        // Answers come in an envelope; what is in it is what the call's type says.
        responseTransformer: async (body) => (isEnvelope(body) ? body.data : body),
      }),
    );
    client.interceptors.error.use((thrown, response) => errorOf(thrown, response));
    super({ client });
  }
}

export { SkytallyError, type FieldError } from './errors.js';
export { mountSkytally, type Mounted, type MountOptions, type PortalEvent } from './embed.js';
export { iterate, type ListPage } from './pages.js';
export { verifyWebhook, WebhookSignatureError, type WebhookEvent } from './webhooks.js';
export type * from './generated/types.gen.js';
