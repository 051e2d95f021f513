// The schedule as typed input, and the parsed schedule once the input is valid.
import {
  currencyCodes,
  isCurrency,
  moneyText,
  parseMoney,
  type Currency,
  type Money,
} from '#kernel/money.ts';
import type { DunningAction, DunningPlan, DunningStep } from '../contract.ts';
import { planMistake } from '../rules.ts';
import type { enUS } from '../locales/enUS.ts';

export type DraftStep = { readonly key: number; readonly day: string; readonly action: DunningAction };
export type DraftMinimum = { readonly key: number; readonly currency: Currency; readonly amount: string };
export type Draft = {
  readonly steps: readonly DraftStep[];
  readonly minimums: readonly DraftMinimum[];
  readonly deferDays: string;
};

export function draftOf({ steps, minimums, deferDays }: DunningPlan): Draft {
  return {
    steps: steps.map(({ day, action }, key) => ({ key, day: String(day), action })),
    minimums: minimums.map((amount, key) => ({ key, currency: amount.currency, amount: moneyText(amount) })),
    deferDays: String(deferDays),
  };
}

/** The key of a new row. */
export const nextKey = (rows: readonly { readonly key: number }[]): number =>
  Math.max(-1, ...rows.map((row) => row.key)) + 1;
/** A currency without a minimum amount so far. */
export const freeCurrency = (minimums: readonly DraftMinimum[]): Currency | undefined =>
  ['TWD', ...currencyCodes]
    .filter(isCurrency)
    .find((code) => minimums.every((each) => each.currency !== code));

const whole = (text: string, least: number, most: number): number | undefined => {
  const number = /^[-−]?\d{1,3}$/.test(text.trim())
    ? Number.parseInt(text.trim().replace('−', '-'), 10)
    : undefined;
  return number !== undefined && number >= least && number <= most ? number : undefined;
};

/** The parsed schedule, or what is invalid. */
export function planOfDraft({ steps, minimums, deferDays }: Draft): {
  readonly plan?: DunningPlan;
  readonly problem?: keyof typeof enUS;
} {
  const read = steps.map(({ day, action }): DunningStep | undefined => {
    const number = whole(day, -60, 365);
    return number === undefined ? undefined : { day: number, action };
  });
  const amounts = minimums.map(({ currency, amount }): Money | undefined =>
    parseMoney(amount.trim().replaceAll(',', ''), currency),
  );
  const defer = whole(deferDays, 0, 30);
  if (defer === undefined || read.length === 0 || read.includes(undefined))
    return { problem: 'dunning.days_not_rising' };
  if (amounts.includes(undefined)) return { problem: 'dunning.minimum_wrong' };
  const plan: DunningPlan = {
    steps: read.filter((step) => step !== undefined),
    minimums: amounts.filter((amount) => amount !== undefined),
    deferDays: defer,
  };
  const mistake = planMistake(plan);
  return mistake ? { problem: mistake.code } : { plan };
}
