// VIES, the EU's register of VAT ids: a query of its REST API, and the interpretation of its responses.
import * as z from 'zod/mini';
import { parseJson } from '#kernel/parse-json.ts';
import { OutboundFailure, postAnswer } from '#platform/server/outbound/outbound.ts';
import type { VatCheck } from '../contract.ts';

/**
 * What VIES reports about a VAT id; see https://ec.europa.eu/taxation_customs/vies/#/technical-information.
 */
export type ViesAnswer = Pick<VatCheck, 'state' | 'requestId' | 'name' | 'address'>;

const Response = z.object({
  valid: z.boolean(),
  requestIdentifier: z.optional(z.nullable(z.string())),
  name: z.optional(z.nullable(z.string())),
  address: z.optional(z.nullable(z.string())),
});
const notChecked: ViesAnswer = { state: 'not_checked', requestId: '', name: '', address: '' };

/**
 * Queries a VAT id; with the seller's own EU VAT id, the response contains an id that proves the request
 * later. A register that does not respond, or responds with an error, leaves the id unchecked, which blocks
 * nothing. Must not be called inside a unit of work.
 */
export async function askVies(apiBase: string, vatId: string, sellerVatId: string): Promise<ViesAnswer> {
  const requester =
    sellerVatId === '' ? {} : parts(sellerVatId, 'requesterMemberStateCode', 'requesterNumber');
  const answer = await postAnswer(
    `${apiBase}/check-vat-number`,
    { json: { ...parts(vatId, 'countryCode', 'vatNumber'), ...requester } },
    'environment',
  ).catch((error: unknown) => {
    if (error instanceof OutboundFailure) return undefined;
    throw error;
  });
  if (answer?.status !== 200) return notChecked;
  const read = z.safeParse(Response, parseJson(answer.text));
  // An error of a member state has status 200 and no verdict.
  if (!read.success) return notChecked;
  const { valid, requestIdentifier, name, address } = read.data;
  return {
    state: valid ? 'valid' : 'invalid',
    requestId: requestIdentifier ?? '',
    name: disclosed(name),
    address: disclosed(address),
  };
}

const parts = (vatId: string, country: string, number: string): Record<string, string> => ({
  [country]: vatId.slice(0, 2),
  [number]: vatId.slice(2),
});

/** Registers that do not disclose names return dashes. */
const disclosed = (text: string | null | undefined): string =>
  text === undefined || text === null || /^-*$/.test(text.trim()) ? '' : text.trim().slice(0, 500);
