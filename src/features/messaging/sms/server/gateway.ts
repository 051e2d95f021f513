// The gateways that there can be: one HTTP call a message, and what their answers mean.
import { fetchAnswer, OutboundFailure, type Ask } from '#platform/server/outbound/outbound.ts';
import type { SmsGateway } from '../contract.ts';

/** A gateway with its secret. */
export type ReadyGateway = SmsGateway & { readonly token: string };
export type Text = { readonly to: string; readonly text: string };

/** The gateway surely did not take the message, and would say the same again. The message is its own words. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}
/** The gateway is busy, broken or silent: another attempt may get through. */
export class GatewayBusy extends Error {
  override readonly name = 'GatewayBusy';
}

const mostReason = 300;

/** Hands a message to the gateway; answers the gateway's name for it, if it has one. Throws {@link GatewayRefused} or {@link GatewayBusy}. Never call it inside a unit of work. */
export async function sendThrough(gateway: ReadyGateway, message: Text): Promise<string> {
  const { address, ask } =
    gateway.preset === 'twilio' ? twilioCall(gateway, message) : genericCall(gateway, message);
  const { status, text } = await fetchAnswer(address, ask).catch((error: unknown) => {
    throw error instanceof OutboundFailure ? new GatewayBusy(error.message, { cause: error }) : error;
  });
  const said = objectOf(text);
  if (status >= 200 && status < 300) return nameOf(said);
  const reason = `${status}: ${reasonOf(said, text)}`;
  throw status >= 400 && status < 500 && status !== 408 && status !== 429
    ? new GatewayRefused(reason)
    : new GatewayBusy(reason);
}

function genericCall(
  { url, token, from, toField, textField, fromField }: ReadyGateway,
  { to, text }: Text,
): { address: string; ask: Ask } {
  return {
    address: url,
    ask: {
      method: 'POST',
      json: { [toField]: to, [textField]: text, ...(from === '' ? {} : { [fromField]: from }) },
      ...(token === '' ? {} : { bearer: token }),
    },
  };
}

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
function twilioCall(
  { url, token, account, from }: ReadyGateway,
  { to, text }: Text,
): { address: string; ask: Ask } {
  const address = `${url.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  return {
    address,
    ask: { method: 'POST', basic: [account, token], form: { To: to, From: from, Body: text } },
  };
}

type Said = Readonly<Record<string, unknown>>;

function objectOf(text: string): Said {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Said) : {};
  } catch {
    // Many gateways answer with a plain sentence.
    return {};
  }
}

const isShort = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

function nameOf(said: Said): string {
  const name = [said['sid'], said['id'], said['messageId'], said['message_id']].find(isShort);
  return name === undefined ? '' : String(name).slice(0, 100);
}

/** A gateway's own words: Twilio's `code` and `message`, what others call `error`, else the text as it is. */
function reasonOf(said: Said, text: string): string {
  const error = typeof said['error'] === 'object' && said['error'] !== null ? (said['error'] as Said) : said;
  const words = [error['message'], error['error'], error['detail'], error['error_description']].find(isShort);
  const code = isShort(error['code']) ? ` (${error['code']})` : '';
  return (words === undefined ? text.replace(/\s+/g, ' ').trim() : `${words}${code}`).slice(0, mostReason);
}
