// Whether a webhook's delivery comes from the console (Standard Webhooks).

/** A delivery; `id` is the same on every attempt, so leave out what you have. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** A delivery that does not come from the console, or is too old. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

const toleranceSeconds = 300;
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function headerOf(headers: HeaderSource, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    // No base64: no signature of the console.
    return undefined;
  }
}

/**
 * Checks a delivery and answers what it tells. `body` is the request's text as it came, before JSON.parse; `now` is the time in milliseconds.
 *
 * @throws WebhookSignatureError when no signature is right, or the attempt is more than five minutes old
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string,
  now: number = Date.now(),
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!(Math.abs(now / 1000 - Number(timestamp || Number.NaN)) < toleranceSeconds))
    throw new WebhookSignatureError('webhook-timestamp is missing, or more than five minutes away from now');
  const raw = bytesOf(secret.replace(/^whsec_/, ''));
  if (raw === undefined || raw.length === 0)
    throw new TypeError('secret is no secret of a webhook: it begins with whsec_');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of headerOf(headers, 'webhook-signature').split(' ')) {
    const [version, signature = ''] = each.split(',');
    const given = version === 'v1' ? bytesOf(signature) : undefined;
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed)))
      return { id, ...(JSON.parse(body) as Omit<WebhookEvent, 'id'>) };
  }
  throw new WebhookSignatureError('no signature fits: this does not come from the console');
}
