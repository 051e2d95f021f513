// Sets an amount for all organizations or for one, by currency. The texts and the call are passed in.
import { useState } from 'react';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes, moneyText, type Currency, type Money } from '#kernel/money.ts';
import { currency } from '#kernel/shape.ts';
import { problem } from '#platform/web/form/problems.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';

import { useBrand } from '#platform/web/shell/brand.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { chosenOrganization, OrganizationField } from '#features/access/identity/web/parts.ts';
import { typedAmount } from '#features/invoicing/credit-grants/web/parts.ts';
import type { AmountToSet, SetAmount } from '../contract-amounts.ts';

/** The texts of a form for an amount. */
export type AmountWords = {
  readonly title: string;
  readonly appliesTo: string;
  readonly everyone: string;
  readonly one: string;
  readonly organization: string;
  readonly rule: string;
  readonly toAmount: string;
  readonly never: string;
  readonly neverHelp: string;
  readonly currency: string;
  readonly amount: string;
  readonly amountHelp: string;
  readonly save: string;
  /** The key of the text stating that an amount must be above zero. */
  readonly notPositive: string;
};

const shapeOf = (notPositive: string) =>
  z
    .strictObject({
      appliesTo: z.enum(['everyone', 'one']),
      organization: chosenOrganization,
      kind: z.enum(['amount', 'never']),
      amount: z.string(),
      currency,
    })
    .check(
      z.check((context) => {
        const { appliesTo, organization, kind, amount, currency: of } = context.value;
        if (appliesTo === 'one' && organization === null)
          context.issues.push({
            code: 'custom',
            input: organization,
            path: ['organization'],
            message: problem('form.required'),
          });
        if (isAmount({ appliesTo, kind }) && !typedAmount(amount, of))
          context.issues.push({
            code: 'custom',
            input: amount,
            path: ['amount'],
            message: notPositive,
          });
      }),
    );
type Fields = z.output<ReturnType<typeof shapeOf>>;
/** Only a single organization can be without an amount; for all of them, there would be nothing to set. */
const isAmount = ({ appliesTo, kind }: Pick<Fields, 'appliesTo' | 'kind'>): boolean =>
  appliesTo === 'everyone' || kind === 'amount';

type AmountDialogProps = {
  /** The amount to change. */
  readonly current?: SetAmount | undefined;
  /** The organization whose amount is set, and its amount in force; undefined to choose one. */
  readonly of?: { readonly organizationId: Id<'org'>; readonly amount: Money | undefined } | undefined;
  readonly words: AmountWords;
  readonly onSave: (input: AmountToSet) => Promise<unknown>;
  readonly onClose: () => void;
};

function initialOf({ current, of }: Pick<AmountDialogProps, 'current' | 'of'>, usual: Currency): Fields {
  const known = current ?? (of && { organizationId: of.organizationId, organization: '', amount: of.amount });
  return {
    appliesTo: known && known.organizationId !== null ? 'one' : 'everyone',
    organization:
      known && known.organizationId !== null
        ? { id: known.organizationId, name: known.organization ?? '' }
        : null,
    kind: current && current.amount === null ? 'never' : 'amount',
    amount: known?.amount ? moneyText(known.amount) : '',
    currency: current?.currency ?? of?.amount?.currency ?? usual,
  };
}

export function AmountDialog({ current, of, words, onSave, onClose }: AmountDialogProps) {
  const format = useFormat();
  const [shape] = useState(() => shapeOf(words.notPositive));
  const form = useZodForm(shape, initialOf({ current, of }, useBrand().currency));
  const submit = async (fields: Fields) => {
    await onSave({
      organizationId:
        fields.appliesTo === 'everyone'
          ? null
          : required(fields.organization, 'the form checked the organization').id,
      currency: fields.currency,
      amount: isAmount(fields)
        ? required(typedAmount(fields.amount, fields.currency), 'the form checked the amount')
        : null,
    });
  };
  const { appliesTo, kind, currency: chosen } = form.watch();
  const { title } = words;
  return (
    <FormDialog form={form} title={title} confirm={words.save} onSubmit={submit} onClose={onClose}>
      {!current && !of && (
        <SelectField
          form={form}
          name="appliesTo"
          label={words.appliesTo}
          options={[
            { value: 'everyone', label: words.everyone },
            { value: 'one', label: words.one },
          ]}
        />
      )}
      {!current && !of && appliesTo === 'one' && (
        <OrganizationField form={form} name="organization" label={words.organization} required />
      )}
      {appliesTo === 'one' && (
        <SelectField
          form={form}
          name="kind"
          label={words.rule}
          help={kind === 'never' ? words.neverHelp : undefined}
          options={[
            { value: 'amount', label: words.toAmount },
            { value: 'never', label: words.never },
          ]}
        />
      )}
      {!current && (
        <SelectField
          form={form}
          name="currency"
          label={words.currency}
          options={currencyCodes.map((code) => ({ value: code, label: code }))}
        />
      )}
      {isAmount({ appliesTo, kind }) && (
        <MoneyField
          form={form}
          name="amount"
          label={words.amount}
          help={words.amountHelp}
          sign={withSymbol('', chosen, format.language)}
          required
        />
      )}
    </FormDialog>
  );
}
