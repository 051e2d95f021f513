// Maps an account of the ledger, or a part of it, to the accounting program.
import * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { isCurrency } from '#kernel/money.ts';
import { optionalText, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type { accounting, Mapping } from '../contract.ts';
import { accountingApi, accountingKey } from './api.ts';
import { useAccountName } from './names.ts';

export type Edited = {
  readonly accountKind: AccountKind;
  /** Null for a new one. */
  readonly mapping: Mapping | null;
  /** Whether it is for a part of the account, which is selected first. */
  readonly isSplit: boolean;
};

const shape = z.strictObject({
  currency: z.string(),
  taxRate: z.string(),
  serviceId: z.string(),
  code: text(20),
  name: text(60),
  department: optionalText(20),
  taxName: optionalText(50),
});

export function MappingDialog({
  edited: { accountKind, mapping, isSplit },
  listed,
  onClose,
}: {
  edited: Edited;
  listed: Out<typeof accounting.listMappings>;
  onClose: () => void;
}) {
  const { t } = useTranslation('accounting');
  const account = useAccountName()(accountKind);
  const form = useZodForm(shape, {
    currency: mapping?.currency ?? '',
    taxRate: mapping?.taxRate ?? '',
    serviceId: mapping?.service?.id ?? '',
    code: mapping?.code ?? '',
    name: mapping?.name ?? '',
    department: mapping?.department ?? '',
    taxName: mapping?.taxName ?? '',
  });
  const save = useCall(accountingApi.saveMapping, {
    invalidates: [accountingKey()],
    onSuccess: () => toast.success(t('accounting.mapping_saved')),
  });
  const title = t(isSplit ? 'accounting.mapping_split_of' : 'accounting.mapping_of', { account });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('accounting.save')}
      width="sm"
      onSubmit={async ({ currency, taxRate, serviceId, ...target }) => {
        await save.mutateAsync({
          accountKind,
          currency: isCurrency(currency) ? currency : null,
          taxRate: taxRate === '' ? null : taxRate,
          serviceId: isId('svc', serviceId) ? serviceId : null,
          ...target,
        });
      }}
      onClose={onClose}
    >
      {isSplit && accountKind === 'revenue' && (
        <SelectField
          form={form}
          name="serviceId"
          label={t('accounting.service')}
          options={[
            { value: '', label: t('accounting.any_service') },
            ...listed.services.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {isSplit && accountKind === 'tax' && (
        <SelectField
          form={form}
          name="taxRate"
          label={t('accounting.tax_rate')}
          options={[
            { value: '', label: t('accounting.any_rate') },
            ...listed.taxRates.map((rate) => ({ value: rate, label: `${rate}%` })),
          ]}
        />
      )}
      {isSplit && listed.currencies.length > 1 && (
        <SelectField
          form={form}
          name="currency"
          label={t('accounting.currency')}
          options={[
            { value: '', label: t('accounting.any_currency') },
            ...listed.currencies.map((one) => ({ value: one, label: one })),
          ]}
        />
      )}
      <TextField
        form={form}
        name="code"
        label={t('accounting.code')}
        help={t('accounting.code_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="name"
        label={t('accounting.name')}
        help={t('accounting.name_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="department"
        label={t('accounting.department')}
        help={t('accounting.department_help')}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="taxName"
        label={t('accounting.tax_name')}
        help={t('accounting.tax_name_help')}
        autoComplete="off"
      />
    </FormDialog>
  );
}
