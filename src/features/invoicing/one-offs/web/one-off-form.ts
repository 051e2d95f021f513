// The form of a one-off: its fields, the resulting amount, and the request.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Money } from '#kernel/money.ts';
import { currency, id, isDay, optionalText, text, type LocalDay } from '#kernel/shape.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { problem } from '#platform/web/form/problems.ts';
import { requiredOrganization } from '#features/access/identity/web/parts.ts';
import {
  longestName,
  oneOffBillings,
  oneOffKinds,
  priceDigits,
  quantityDigits,
  type oneOffs,
} from '../contract.ts';
import { pricedOneOff, quantityOf, unitPriceOf, type OneOffMistake, type Priced } from '../rules.ts';

/** As users type it: thousands may be separated by commas. */
const plainDecimal = (typed: string): string => typed.replaceAll(',', '').trim();

const pricedOf = ({ kind, quantity, unitPrice, currency: of }: Priced): ReturnType<typeof pricedOneOff> =>
  pricedOneOff({
    kind,
    quantity: plainDecimal(quantity),
    unitPrice: plainDecimal(unitPrice),
    currency: of,
  });

/** The amount that results from the fields, as it would be billed; undefined if there is none. */
export function amountOf(fields: Priced): Money | undefined {
  const priced = pricedOf(fields);
  return 'code' in priced ? undefined : priced.amount;
}

const messageOf = (code: OneOffMistake['code']): string =>
  `${code}?quantityDigits=${quantityDigits}&priceDigits=${priceDigits}`;
/** A decimal of its own field; an empty field reports its own error. */
const decimalText = (read: (text: string) => unknown, code: OneOffMistake['code']) =>
  z.string().check(
    z.minLength(1),
    z.refine((typed) => typed === '' || read(plainDecimal(typed)) !== undefined, messageOf(code)),
  );

export const oneOffFields = z
  .strictObject({
    organization: requiredOrganization,
    /** Empty: not for a specific service. */
    subscriptionId: z.union([z.literal(''), id('sub')]),
    kind: z.enum(oneOffKinds),
    name: z.strictObject({ zhTW: text(longestName), enUS: text(longestName) }),
    quantity: decimalText(quantityOf, 'oneoffs.quantity_wrong'),
    unitPrice: decimalText(unitPriceOf, 'oneoffs.price_wrong'),
    currency,
    /** Empty: the organization's current day. */
    chargeOn: z.string().check(z.refine((value) => value === '' || isDay(value), problem('form.invalid'))),
    billing: z.enum(oneOffBillings),
    note: optionalText(500),
  })
  .check(
    z.check((context) => {
      const priced = pricedOf(context.value);
      // Errors of a single field are reported by the field itself.
      if (
        'code' in priced &&
        (priced.code === 'oneoffs.amount_zero' || priced.code === 'oneoffs.amount_too_large')
      )
        context.issues.push({
          code: 'custom',
          input: context.value,
          path: [priced.field],
          message: priced.code,
        });
    }),
  );
export type OneOffFields = z.output<typeof oneOffFields>;

/** The request for filled-in fields. */
export function requestOf({
  organization,
  subscriptionId,
  quantity,
  unitPrice,
  chargeOn,
  ...rest
}: OneOffFields & { organization: NonNullable<OneOffFields['organization']> }): In<
  typeof oneOffs.createOneOff
> {
  return {
    ...rest,
    organizationId: organization.id,
    subscriptionId: subscriptionId === '' ? null : subscriptionId,
    quantity: plainDecimal(quantity),
    unitPrice: plainDecimal(unitPrice),
    ...(chargeOn !== '' && { chargeOn: chargeOn as LocalDay }),
  };
}

const ownFields: Readonly<Record<string, string>> = { organizationId: 'organization' };

/** The server's error with the form's own field names. */
export function withFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, cause } = error;
  return new ApiError({
    status,
    code,
    message,
    requestId,
    cause,
    errors: error.errors.map((each) => ({ ...each, field: ownFields[each.field] ?? each.field })),
  });
}
