// Shared by the groups of proposed terms: the form they belong to, and its currency.
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ContractFields } from './contract-fields.ts';

export type Part = { readonly form: FormOf<ContractFields, ContractFields> };
export type Entry = Part & { readonly index: number };

/** The symbol of the simulated currency, such as 'NT$'. */
export function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}
