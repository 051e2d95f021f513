// Reading what providers answer: plain data of unknown shape, in which the same field is a number today and a text tomorrow.
import { ProviderUnsure } from '../provider.ts';

export type Answer = Readonly<Record<string, unknown>>;

/** Whether a value is an object with names. */
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object in a text; undefined when it is none. */
export function answerIn(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAnswer(value) ? value : undefined;
  } catch {
    // Whoever asks decides what an unreadable answer means.
    return undefined;
  }
}

/** A field as text, trimmed; empty when it is missing. */
export function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** An invoice's number in an answer that says it was issued. Throws {@link ProviderUnsure} when there is none. */
export function numberOf(answer: Answer, name: string): string {
  const number = textOf(answer, name);
  if (!/^[A-Z]{2}\d{8}$/.test(number))
    throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(number)}`);
  return number;
}

/** The four digits of a random code; a number has lost its leading zeros. */
export function randomCodeOf(answer: Answer, name: string): string {
  const code = textOf(answer, name).padStart(4, '0');
  if (!/^\d{4}$/.test(code) || textOf(answer, name) === '')
    throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(textOf(answer, name))}`);
  return code;
}

/** A moment that is written as the time of Taiwan: `2026-11-26 14:30:05`, perhaps with slashes. Throws {@link ProviderUnsure}. */
export function momentOf(answer: Answer, name: string): Date {
  const text = textOf(answer, name);
  const match = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[ T+](\d\d):(\d\d):(\d\d))?/.exec(text);
  if (!match) throw new ProviderUnsure(`issued, but ${name} is ${JSON.stringify(text)}`);
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`);
}

/** Whether a whole amount in an answer is this one, however it is written: 1050, "1050", 1050.0. */
export function isAmount(answer: Answer, name: string, amount: bigint): boolean {
  return /^(-?\d+)(?:\.0+)?$/.exec(textOf(answer, name))?.[1] === amount.toString();
}
