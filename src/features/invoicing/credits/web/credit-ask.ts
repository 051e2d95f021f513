// Converts the credit dialog's input to the request; undefined while it is incomplete.
import { parseMoney, type Currency } from '#kernel/money.ts';
import type { CreditAsk } from '../contract.ts';

export const creditWays = ['rest', 'percent', 'amount', 'lines'] as const;
export type Typed = {
  readonly way: (typeof creditWays)[number];
  readonly percent: string;
  readonly amount: string;
  readonly lines: Readonly<Record<string, string>>;
};

const amountOf = (typed: string, currency: Currency) =>
  parseMoney(typed.replaceAll(',', '').trim(), currency);

/** Whether an amount is valid in the currency; an empty field counts as valid. */
export const isAmount = (typed: string, currency: Currency): boolean =>
  typed.trim() === '' || amountOf(typed, currency) !== undefined;
export const isPercent = (typed: string): boolean =>
  typed.trim() === '' || (/^\d{1,3}(\.\d{1,6})?$/.test(typed.trim()) && Number.parseFloat(typed) <= 100);

export function askOf(typed: Typed, currency: Currency): CreditAsk | undefined {
  if (typed.way === 'rest') return { kind: 'rest' };
  if (typed.way === 'percent')
    return typed.percent.trim() !== '' && isPercent(typed.percent)
      ? { kind: 'percent', percent: typed.percent.trim() }
      : undefined;
  if (typed.way === 'amount') {
    const net = amountOf(typed.amount, currency);
    return net && { kind: 'amount', net };
  }
  const filled = Object.entries(typed.lines).filter(([, amount]) => amount.trim() !== '');
  const lines = filled.flatMap(([lineId, amount]) => {
    const net = amountOf(amount, currency);
    return net ? [{ lineId, net }] : [];
  });
  return lines.length > 0 && lines.length === filled.length ? { kind: 'lines', lines } : undefined;
}
