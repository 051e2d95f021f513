// Eight calls at once, as eight people or programs would make them.
import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { Route } from '#kernel/contract.ts';
import type { TestConsole } from './console.ts';

let called = 0;
type Eight = { readonly done: number; readonly codes: string[] };

/**
 * Calls eight times at once, each time with an idempotency key of its own; returns how many succeeded, and the codes of
 * the others.
 */
export async function eightAtOnce<R extends Route>(
  { call }: Pick<TestConsole, 'call'>,
  route: R,
  input: (index: number) => z.output<R['input']>,
  by: (index: number) => { token: string },
): Promise<Eight> {
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const { status, envelope } = await call(route, input(index), {
        ...by(index),
        headers: route.idempotent === false ? {} : { 'idempotency-key': `eight-${++called}` },
      });
      return { status, code: envelope.code ?? envelope.errors?.[0]?.code ?? '' };
    }),
  );
  // Being late is an answer; a fault is not.
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const failed = answers.filter(({ status }) => status >= 400);
  return { done: 8 - failed.length, codes: [...new Set(failed.map(({ code }) => code))].toSorted() };
}
