// The terms of late fees. Each change is a version; a bill has the version of its time of issue.
import type { In } from '#kernel/contract.ts';
import * as z from 'zod/mini';
import { domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import { dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { taxSeller } from '#features/invoicing/taxes/server/index.ts';
import {
  lateFeesErrors,
  LateFeeTerms,
  type CurrencyTerms,
  type lateFees,
  type LateFeeSettings,
} from '../contract.ts';
import { percentDigits, termsMistake, type Span } from '../rules.ts';
import { insertVersion, versionsOf, type TermsVersion } from './store.ts';

export async function getLateFees(ctx: Ctx): Promise<LateFeeSettings> {
  const newest = (await versionsOf(ctx)).at(-1);
  return {
    terms: newest?.terms ?? null,
    since: newest?.since ?? null,
    by: newest?.by ?? '',
    isTaxStated: (await ctx.setting(taxSeller)).country !== '',
  };
}

export async function saveLateFees(
  ctx: Ctx,
  { terms }: In<typeof lateFees.saveLateFees>,
): Promise<LateFeeSettings> {
  const mistake = terms && termsMistake(terms);
  if (mistake) throw domainError(lateFeesErrors, mistake.code, { digits: percentDigits }, [mistake.field]);
  await lockUntilEnd(ctx, 'late fees');
  const wire = (value: LateFeeTerms | null) => value && z.encode(LateFeeTerms, value);
  const before = wire((await versionsOf(ctx)).at(-1)?.terms ?? null);
  const after = wire(terms);
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await insertVersion(ctx, terms, person(ctx));
    ctx.audit('latefees.saveLateFees', undefined, { before, after });
    ctx.publish('system/billing', { kind: 'late-fees' });
  }
  return getLateFees(ctx);
}

/** The terms of a bill, and the days since on which late fees in its currency were off. */
export type BillTerms = {
  readonly terms: CurrencyTerms;
  readonly graceDays: number;
  readonly taxedAs: LateFeeTerms['taxedAs'];
  /** The Admin who set them. */
  readonly by: TermsVersion['madeBy'];
  readonly off: readonly Span[];
};

const inCurrency = (version: TermsVersion | undefined, currency: Currency): CurrencyTerms | undefined =>
  version?.terms?.currencies.find((each) => each.currency === currency);

/** Returns those in force when it was issued; undefined if there were none. */
export function termsOfBill(
  versions: readonly TermsVersion[],
  bill: { readonly issuedAt: Date; readonly currency: Currency; readonly timeZone: string },
): BillTerms | undefined {
  const place = versions.findLastIndex(({ since }) => since <= bill.issuedAt);
  const version = versions[place];
  const terms = inCurrency(version, bill.currency);
  if (!version?.terms || !terms) return undefined;
  const off = versions.slice(place + 1).flatMap((each, index, later) => {
    if (inCurrency(each, bill.currency)) return [];
    const next = later[index + 1];
    return [
      { from: dayOf(each.since, bill.timeZone), until: next ? dayOf(next.since, bill.timeZone) : null },
    ];
  });
  const { graceDays, taxedAs } = version.terms;
  return { terms, graceDays, taxedAs, by: version.madeBy, off };
}
