// Stores the contract simulator's form in the address: a simulation is a link, and reloading loses nothing.
// Customers and services are stored by id, so that a link cannot show one under another's name.
import * as z from 'zod/mini';
import { id } from '#kernel/shape.ts';
import { isId, type Id } from '#kernel/ids.ts';
import { isCurrency, type Currency } from '#kernel/money.ts';
import { parseJson } from '#kernel/parse-json.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';
import { maxCommitments, maxTermCharges, maxTerms, maxTermServices } from '../contract-terms.ts';
import {
  discountKinds,
  emptyCommitment,
  emptyContract,
  emptyCredit,
  emptyDiscount,
  monthChoices,
  orderChoices,
  recurrences,
  type ContractFields,
} from './contract-fields.ts';

const typed = z.optional(z.string().check(z.maxLength(40)));
const services = z.optional(z.array(id('svc')).check(z.maxLength(maxTermServices)));
const charges = z.optional(
  z.array(z.strictObject({ serviceId: id('svc'), chargeKey })).check(z.maxLength(maxTermCharges)),
);
/** The values that differ from an empty form. */
const Terms = z.object({
  discounts: z.optional(
    z
      .array(
        z.object({
          kind: z.optional(z.enum(discountKinds)),
          percent: typed,
          amount: typed,
          maximum: typed,
          services,
        }),
      )
      .check(z.maxLength(maxTerms)),
  ),
  discountOrder: z.optional(z.enum(orderChoices)),
  commitments: z.optional(
    z
      .array(
        z.object({
          period: z.optional(z.enum(commitmentPeriods)),
          // One amount per line.
          amounts: z.optional(z.string().check(z.maxLength(480))),
          committedPercent: typed,
          overagePercent: typed,
          usageOnly: z.optional(z.boolean()),
          services,
          charges,
        }),
      )
      .check(z.maxLength(maxCommitments)),
  ),
  credits: z.optional(
    z
      .array(
        z.object({
          kind: z.optional(z.enum(grantKinds)),
          amount: typed,
          recurring: z.optional(z.enum(recurrences)),
          usageOnly: z.optional(z.boolean()),
          services,
          charges,
        }),
      )
      .check(z.maxLength(maxTerms)),
  ),
  minimumSpend: typed,
  growth: typed,
});

/** The names for the ids in the address. */
export type Names = {
  readonly organization: (id: Id<'org'>) => string | undefined;
  readonly service: (id: Id<'svc'>) => string | undefined;
};
/** The form stored in an address, without names. */
export type Addressed = {
  readonly organizationId: Id<'org'> | undefined;
  readonly serviceIds: readonly Id<'svc'>[];
  /** The form with names; anything without a name does not exist and is left out. */
  readonly fields: (names: Names) => ContractFields;
};

const keys = ['organization', 'months', 'currency', 'terms'] as const;

/** Reads the form from an address; anything unreadable is as in an empty form. */
export function readAddress(params: URLSearchParams, mainCurrency: Currency): Addressed {
  const [organization, months, currency, terms] = keys.map((key) => params.get(key) ?? '');
  const organizationId = isId('org', organization) ? organization : undefined;
  const { discounts = [], commitments = [], credits = [], ...others } = termsIn(terms ?? '');
  const empty = emptyContract(isCurrency(currency ?? '') ? (currency as Currency) : mainCurrency);
  return {
    organizationId,
    serviceIds: [
      ...new Set([...discounts, ...commitments, ...credits].flatMap((each) => each.services ?? [])),
    ],
    fields: (names) => {
      const named = (ids: readonly Id<'svc'>[] = []) =>
        ids.flatMap((serviceId) => {
          const name = names.service(serviceId);
          return name === undefined ? [] : [{ id: serviceId, name }];
        });
      const name = organizationId && names.organization(organizationId);
      return {
        ...empty,
        ...others,
        organization: organizationId && name !== undefined ? { id: organizationId, name } : null,
        months: monthChoices.find((choice) => choice === months) ?? empty.months,
        discounts: discounts.map((each) => ({ ...emptyDiscount, ...each, services: named(each.services) })),
        commitments: commitments.map((each) => ({
          ...emptyCommitment,
          ...each,
          services: named(each.services),
        })),
        credits: credits.map((each) => ({ ...emptyCredit, ...each, services: named(each.services) })),
      };
    },
  };
}

function termsIn(text: string): z.output<typeof Terms> {
  // The address may have been cut off or edited by hand.
  return z.safeParse(Terms, parseJson(text)).data ?? {};
}

/** The address of a form; other parameters in the address are kept. */
export function writeAddress(now: URLSearchParams, fields: ContractFields): URLSearchParams {
  const {
    organization,
    months,
    currency,
    discounts,
    discountOrder,
    commitments,
    credits,
    minimumSpend,
    growth,
  } = fields;
  const ids = (chosen: ContractFields['credits'][number]['services']) => chosen.map((service) => service.id);
  const terms = differing(
    {
      discounts: discounts.map((each) => differing({ ...each, services: ids(each.services) }, emptyDiscount)),
      discountOrder,
      commitments: commitments.map((each) =>
        differing({ ...each, services: ids(each.services) }, emptyCommitment),
      ),
      credits: credits.map((each) => differing({ ...each, services: ids(each.services) }, emptyCredit)),
      minimumSpend,
      growth,
    },
    { discounts: [], discountOrder: '', commitments: [], credits: [], minimumSpend: '', growth: '' },
  );
  const next = new URLSearchParams(now);
  const written = [
    organization?.id ?? '',
    months,
    currency,
    Object.keys(terms).length === 0 ? '' : JSON.stringify(terms),
  ];
  for (const [index, key] of keys.entries()) {
    const text = written[index] ?? '';
    if (text === '') next.delete(key);
    else next.set(key, text);
  }
  return next;
}

/** The entries that differ from those of an empty form. */
function differing(
  entries: Readonly<Record<string, unknown>>,
  empty: Readonly<Record<string, unknown>>,
): object {
  return Object.fromEntries(
    Object.entries(entries).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(empty[key])),
  );
}
