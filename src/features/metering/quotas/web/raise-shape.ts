// A limit as typed: digits, with or without commas between them.
import * as z from 'zod/mini';
import { decimal, zero } from '#kernel/decimal.ts';
import { unsignedDecimal } from '#kernel/shape.ts';

const isLimit = (typed: string): boolean =>
  z.safeParse(unsignedDecimal, plain(typed)).success && decimal(plain(typed)).gt(zero);
/** The typed limit in the form that the contract accepts: without commas and spaces. */
export const plain = (typed: string): string => typed.replaceAll(',', '').trim();
/** A typed limit above zero. */
export const typedLimit = z.string().check(
  z.trim(),
  z.minLength(1),
  z.refine((typed) => typed === '' || isLimit(typed), 'quotas.raise_limit_wrong'),
);
