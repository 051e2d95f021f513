// Creates or changes a budget: name, service, amount per month, and thresholds for notices.
import * as z from 'zod/mini';
import { withSymbol } from '#kernel/format-money.ts';
import { moneyText, type Currency } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Out } from '#kernel/contract.ts';
import { text } from '#kernel/shape.ts';
import { initialThresholds, type Budget, type budgets } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { budgetsApi, budgetsKey } from './api.ts';
import { readAmount, readThresholds } from './budget-view.ts';

export type BudgetDialogProps = {
  readonly list: Out<typeof budgets.listBudgets>;
  /** The budget to change; undefined to create one. */
  readonly budget?: Budget;
  readonly onClose: () => void;
};

/** '' means all services. */
const shapeOf = (currencyOf: (serviceId: string) => Currency) =>
  z
    .strictObject({
      name: text(80),
      serviceId: z.string(),
      amount: z.string().check(z.trim(), z.minLength(1)),
      thresholds: z.string().check(
        z.trim(),
        z.refine((typed) => readThresholds(typed) !== undefined, 'budgets.thresholds_wrong'),
      ),
    })
    .check(
      z.check((context) => {
        const { amount, serviceId } = context.value;
        if (amount !== '' && !readAmount(amount, currencyOf(serviceId)))
          context.issues.push({
            code: 'custom',
            input: amount,
            path: ['amount'],
            message: 'budgets.amount_wrong',
          });
      }),
    );

export function BudgetDialog({ list, budget, onClose }: BudgetDialogProps) {
  const { t } = useTranslation('budgets');
  const format = useFormat();
  const currencyOf = (serviceId: string): Currency =>
    budget?.amount.currency ??
    list.services.find((service) => service.id === serviceId)?.currency ??
    list.currency;
  const form = useZodForm(shapeOf(currencyOf), {
    name: budget?.name ?? '',
    serviceId: budget?.service?.id ?? '',
    amount: budget ? moneyText(budget.amount) : '',
    thresholds: (budget?.thresholds ?? initialThresholds).join(', '),
  });
  const invalidates = [budgetsKey()];
  const create = useCall(budgetsApi.createBudget, { invalidates });
  const update = useCall(budgetsApi.updateBudget, { invalidates });
  const submit = async (typed: { name: string; serviceId: string; amount: string; thresholds: string }) => {
    const { name } = typed;
    const service = list.services.find((each) => each.id === typed.serviceId);
    const amount = required(
      readAmount(typed.amount, currencyOf(typed.serviceId)),
      'the form checked the amount',
    );
    const change = {
      name,
      amount,
      thresholds: required(readThresholds(typed.thresholds), 'the form checked the thresholds'),
    };
    if (budget) await update.mutateAsync({ budgetId: budget.id, ...change });
    else await create.mutateAsync({ ...change, ...(service && { serviceId: service.id }) });
    toast.success(t(budget ? 'budgets.saved' : 'budgets.created', { name }));
  };
  const title = budget ? t('budgets.edit_title', { name: budget.name }) : t('budgets.create_title');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t(budget ? 'budgets.save' : 'budgets.create')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('budgets.name')} autoComplete="off" required autoFocus />
      {!budget && list.services.length > 0 && (
        <SelectField
          form={form}
          name="serviceId"
          label={t('budgets.scope')}
          options={[
            { value: '', label: t('budgets.all_services') },
            ...list.services.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <MoneyField
        form={form}
        name="amount"
        label={t('budgets.amount')}
        help={t('budgets.amount_help')}
        sign={withSymbol('', currencyOf(form.watch('serviceId')), format.language)}
        required
      />
      <TextField
        form={form}
        name="thresholds"
        label={t('budgets.thresholds')}
        help={t('budgets.thresholds_help')}
        inputMode="numeric"
        end="%"
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
