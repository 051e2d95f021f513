// Turnkey: messages of MIG 4.1 as files that the Ministry's own program picks up, signs and uploads. Numbers
// come from the seller's tracks. We only write files, so the outcome is known unless the file store is
// unavailable.
import {
  ProviderRefused,
  type AllowanceToSend,
  type EInvoiceProvider,
  type InvoiceToSend,
  type IssuedInvoice,
} from '../provider.ts';
import {
  allowanceMessage,
  cancelledAllowanceMessage,
  cancelledInvoiceMessage,
  invoiceMessage,
  migXml,
  unusedNumbersMessage,
} from './mig-message.ts';
import type { MigType } from './mig-schema.ts';
import { fieldRefused } from './refusals.ts';
import {
  readText,
  sentName,
  sourceName,
  stateName,
  withFiles,
  writeText,
  type TurnkeyPlaces,
} from './turnkey-places.ts';
import { takeResults, turnkeyState } from './turnkey-results.ts';

/** One message for Turnkey: `key` is the number it concerns. */
type Handing = { readonly type: MigType; readonly key: string; readonly at: Date; readonly xml: string };

/** Creates the file channel; `places` are its locations. */
export function turnkeyProvider(places: TurnkeyPlaces): EInvoiceProvider {
  const { files, root } = places;
  return {
    name: 'turnkey',
    allotsNumbers: false,
    check: async () => {
      await withFiles(() => files.check());
      return { isLive: root === 'turnkey' };
    },
    issue: async (invoice) => {
      const issued = issuedOf(invoice);
      await handOver(places, invoiceHanding(invoice));
      return issued;
    },
    findInvoice: async (invoice) =>
      (await wasHandedOver(places, invoiceHanding(invoice))) ? issuedOf(invoice) : null,
    voidInvoice: async (invoice, issued, reason, at) =>
      handOverOnce(places, {
        type: 'F0501',
        key: issued.number,
        at,
        xml: migXml(cancelledInvoiceMessage('F0501', invoice, issued, reason, at)),
      }),
    isVoided: (_invoice, { number }) => exists(places, 'F0501', number),
    annulInvoice: async (invoice, issued, reason, at) => annul(places, invoice, issued, reason, at),
    allow: async (allowance) => {
      const number = allowanceNumber(allowance);
      await handOver(places, allowanceHanding(allowance));
      return { number };
    },
    findAllowance: async (allowance) =>
      (await wasHandedOver(places, allowanceHanding(allowance)))
        ? { number: allowanceNumber(allowance) }
        : null,
    voidAllowance: async (allowance, issued, reason, at) =>
      handOverOnce(places, {
        type: 'G0501',
        key: issued.number,
        at,
        xml: migXml(cancelledAllowanceMessage(allowance, issued, reason, at)),
      }),
    isAllowanceVoided: (_allowance, { number }) => exists(places, 'G0501', number),
    invoiceState: async (_invoice, { number }) => {
      await takeResults(places);
      return turnkeyState(places, 'F0401', number);
    },
    reportUnused: async (unused) =>
      handOver(places, {
        type: 'E0402',
        key: `${unused.track}${unused.period.replace('-', '')}`,
        at: new Date(`${unused.period}-01T00:00:00Z`),
        xml: migXml(unusedNumbersMessage(unused)),
      }),
  };
}

function issuedOf({ number, randomCode, issuedAt }: InvoiceToSend): IssuedInvoice {
  if (number === null) throw fieldRefused('missing', 'number', 'is taken from a track of the seller');
  if (randomCode === null) throw fieldRefused('missing', 'randomCode', 'has four digits');
  return { number, randomCode, issuedAt };
}
function allowanceNumber({ number }: AllowanceToSend): string {
  if (number === null) throw fieldRefused('missing', 'number', 'is given by the seller');
  return number;
}
const invoiceHanding = (invoice: InvoiceToSend): Handing => ({
  type: 'F0401',
  key: issuedOf(invoice).number,
  at: invoice.issuedAt,
  xml: migXml(invoiceMessage(invoice)),
});
const allowanceHanding = (allowance: AllowanceToSend): Handing => ({
  type: 'G0401',
  key: allowanceNumber(allowance),
  at: allowance.date,
  xml: migXml(allowanceMessage(allowance)),
});

const exists = async ({ files, root }: TurnkeyPlaces, type: MigType, key: string): Promise<boolean> =>
  (await withFiles(() => readText(files, sentName(root, type, key)))) !== undefined;

/**
 * Whether exactly this message was handed over, or is about to be: its file exists, but our copy does not
 * yet.
 */
async function wasHandedOver({ files, root }: TurnkeyPlaces, handing: Handing): Promise<boolean> {
  const { type, key, at, xml } = handing;
  for (const name of [sentName(root, type, key), sourceName(root, type, key, at)]) {
    const text = await withFiles(() => readText(files, name));
    if (text !== undefined) return text === xml;
  }
  return false;
}

/**
 * Hands a message to Turnkey. Repeating the same message has no effect unless the platform reported a
 * failure; it is then handed over again. A different message for the same number is refused unless the
 * earlier one failed.
 */
async function handOver(places: TurnkeyPlaces, handing: Handing): Promise<void> {
  const { files, root } = places;
  const { type, key, at, xml } = handing;
  const former = await withFiles(() => readText(files, sentName(root, type, key)));
  if (former !== undefined) {
    const { state } = await turnkeyState(places, type, key);
    if (state !== 'failed' && former === xml) return;
    if (state !== 'failed')
      throw new ProviderRefused('content_differs', `${type} ${key} was handed over with other content`);
  }
  // First the file that Turnkey takes: with our copy first, a crash in between would leave a message that was
  // never sent.
  await withFiles(() => writeText(files, sourceName(root, type, key, at), xml));
  await withFiles(() => writeText(files, sentName(root, type, key), xml));
  if (former !== undefined) await withFiles(() => files.remove([stateName(root, type, key)]));
}

/**
 * Hands over a message whose content includes the time of the request: an earlier one for the same number
 * stands.
 */
async function handOverOnce(places: TurnkeyPlaces, handing: Handing): Promise<void> {
  const { type, key } = handing;
  const isThere = await exists(places, type, key);
  if (isThere && (await turnkeyState(places, type, key)).state !== 'failed') return;
  await handOver(places, handing);
}

/**
 * 註銷. Afterwards the number may be used for different content, so our copies of the invoice are moved aside
 * under the time of the annulment.
 */
async function annul(
  places: TurnkeyPlaces,
  invoice: InvoiceToSend,
  issued: IssuedInvoice,
  reason: string,
  at: Date,
): Promise<void> {
  const { files, root } = places;
  const sent = sentName(root, 'F0401', issued.number);
  // A number can be annulled more than once, so the time is part of the key.
  const key = `${issued.number}-${at.getTime()}`;
  const former = await withFiles(() => readText(files, sent));
  if (former === undefined && (await exists(places, 'F0701', key))) return;
  if (former === undefined)
    throw new ProviderRefused('not_issued', `F0401 ${issued.number} was not handed over`);
  const waiting = sourceName(root, 'F0401', issued.number, issued.issuedAt);
  if ((await withFiles(() => readText(files, waiting))) !== undefined)
    throw new ProviderRefused('not_taken', `Turnkey has not taken F0401 ${issued.number} yet`);
  const xml = migXml(cancelledInvoiceMessage('F0701', invoice, issued, reason, at));
  await withFiles(() => writeText(files, sourceName(root, 'F0701', issued.number, at), xml));
  await withFiles(() => writeText(files, sentName(root, 'F0701', key), xml));
  await withFiles(() => writeText(files, sentName(root, 'F0401', `${key}-annulled`), former));
  await withFiles(() => files.remove([sent, stateName(root, 'F0401', issued.number)]));
}
