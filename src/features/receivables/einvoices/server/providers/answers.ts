// Parses the responses of e-invoice services.
import { answerIn, isAnswer, textOf, type Answer } from '#features/receivables/gateways/server/index.ts';
import { ProviderUnsure } from '../provider.ts';

export { answerIn, isAnswer, textOf, type Answer };

/**
 * Returns an invoice's number from a response that says it was issued. Throws {@link ProviderUnsure} if there
 * is none.
 */
export function numberOf(answer: Answer, name: string): string {
  const number = textOf(answer, name);
  if (!/^[A-Z]{2}\d{8}$/.test(number))
    throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(number)}`);
  return number;
}

/** Returns the four digits of a random code; as a number it has lost its leading zeros. */
export function randomCodeOf(answer: Answer, name: string): string {
  const code = textOf(answer, name).padStart(4, '0');
  if (!/^\d{4}$/.test(code) || textOf(answer, name) === '')
    throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(textOf(answer, name))}`);
  return code;
}

/**
 * Parses a time in Taiwan's time zone: `2026-11-26 14:30:05`, also with slashes. Throws {@link
 * ProviderUnsure}.
 */
export function momentOf(answer: Answer, name: string): Date {
  const text = textOf(answer, name);
  const match = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[ T+](\d\d):(\d\d):(\d\d))?/.exec(text);
  if (!match) throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(text)}`);
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`);
}

/** Whether a whole amount in a response equals this one, whatever its notation: 1050, "1050", 1050.0. */
export function isAmount(answer: Answer, name: string, amount: bigint): boolean {
  return /^(-?\d+)(?:\.0+)?$/.exec(textOf(answer, name))?.[1] === amount.toString();
}
