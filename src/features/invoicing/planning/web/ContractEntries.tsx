// What the groups of proposed terms have in common: the form that they are parts of, and its currency.
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ContractFields } from './contract-fields.ts';

export type Part = { readonly form: FormOf<ContractFields, ContractFields> };
export type Entry = Part & { readonly index: number };

/** 'NT$', of the currency that is simulated. */
export function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}
