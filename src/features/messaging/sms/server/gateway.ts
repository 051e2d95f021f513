// The supported gateways: one HTTP call per message, and the interpretation of their answers.
import { parseJson } from '#kernel/parse-json.ts';
import {
  AddressRefused,
  OutboundFailure,
  postAnswer,
  type RequestInput,
} from '#platform/server/outbound/outbound.ts';
import type { SmsGateway } from '../contract.ts';

/**
 * A gateway with its secret, and the origin of its address: the environment, or an Admin, with the hosts that
 * may be private.
 */
export type ReadyGateway = SmsGateway & {
  readonly token: string;
  readonly setBy: Parameters<typeof postAnswer>[2];
};
export type OutgoingSms = { readonly to: string; readonly text: string };

/**
 * The gateway rejected the message permanently. The error message is ours: the gateway's answer is not passed
 * on.
 */
export class GatewayRefused extends Error {
  override readonly name: string = 'GatewayRefused';
}
/**
 * Nothing was sent: the address is of this machine or a private network, and the configuration does not allow
 * that.
 */
export class GatewayForbidden extends GatewayRefused {
  override readonly name = 'GatewayForbidden';
}
/** The gateway is busy, failing or not responding: another attempt may succeed. */
export class GatewayBusy extends Error {
  override readonly name = 'GatewayBusy';
}

/**
 * Sends a message through the gateway; returns Twilio's id of it, if any. Throws {@link GatewayRefused} or
 * {@link GatewayBusy}. Must not be called inside a transaction.
 */
export async function sendThrough(gateway: ReadyGateway, message: OutgoingSms): Promise<string> {
  const { address, request } =
    gateway.preset === 'twilio' ? twilioCall(gateway, message) : genericCall(gateway, message);
  const { status, text } = await postAnswer(address, request, gateway.setBy).catch((error: unknown) => {
    if (error instanceof AddressRefused)
      throw new GatewayForbidden('the address is not public', { cause: error });
    throw error instanceof OutboundFailure ? new GatewayBusy(error.message, { cause: error }) : error;
  });
  if (status >= 200 && status < 300) return gateway.preset === 'twilio' ? sidOf(text) : '';
  const reason = `HTTP ${status}`;
  throw status >= 400 && status < 500 && status !== 408 && status !== 429
    ? new GatewayRefused(reason)
    : new GatewayBusy(reason);
}

function genericCall(
  { url, token, from, toField, textField, fromField }: ReadyGateway,
  { to, text }: OutgoingSms,
): { address: string; request: RequestInput } {
  return {
    address: url,
    request: {
      json: { [toField]: to, [textField]: text, ...(from === '' ? {} : { [fromField]: from }) },
      ...(token === '' ? {} : { bearer: token }),
    },
  };
}

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
function twilioCall(
  { url, token, account, from }: ReadyGateway,
  { to, text }: OutgoingSms,
): { address: string; request: RequestInput } {
  const address = `${url.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  return {
    address,
    request: { basic: [account, token], form: { To: to, From: from, Body: text } },
  };
}

/** Twilio's id of a message; empty when the answer has none. */
function sidOf(text: string): string {
  // The gateway accepted the message, even if its answer cannot be read.
  const answer = parseJson(text);
  const sid = typeof answer === 'object' && answer !== null && 'sid' in answer ? answer.sid : undefined;
  return typeof sid === 'string' && /^(SM|MM)[0-9a-zA-Z]{1,32}$/.test(sid) ? sid : '';
}
