// The amount above which a second Admin has to approve a one-off.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes, moneyText, parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { currency } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ApprovalSetting } from '../contract.ts';
import { oneOffsApi, oneOffsKey, oneOffsQueries } from './api.ts';

export function ApprovalSection() {
  const { t } = useTranslation('oneoffs');
  const query = useQuery(oneOffsQueries.oneOffSettings());
  return (
    <Section title={t('oneoffs.approval')} lead={t('oneoffs.approval_lead')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {(setting) => (
          // Another Admin's change replaces the values of the fields.
          <ApprovalForm
            key={
              setting.approvalAbove
                ? `${moneyText(setting.approvalAbove)} ${setting.approvalAbove.currency}`
                : ''
            }
            setting={setting}
          />
        )}
      </QueryState>
    </Section>
  );
}

const readAmount = (typed: string, of: Currency): Money | undefined => {
  const amount = parseMoney(typed.replaceAll(',', '').trim(), of);
  return amount && amount.minor >= 0n ? amount : undefined;
};
const shape = z.strictObject({ isOn: z.boolean(), amount: z.string(), currency }).check(
  z.check((context) => {
    const { isOn, amount, currency: of } = context.value;
    if (isOn && !readAmount(amount, of))
      context.issues.push({
        code: 'custom',
        input: amount,
        path: ['amount'],
        message: 'oneoffs.threshold_negative',
      });
  }),
);

function ApprovalForm({ setting }: { setting: ApprovalSetting }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const usual = useBrand((brand) => brand.currency);
  const { approvalAbove, otherAdmins } = setting;
  const form = useZodForm(shape, {
    isOn: approvalAbove !== null,
    amount: approvalAbove ? moneyText(approvalAbove) : '',
    currency: approvalAbove?.currency ?? usual,
  });
  const save = useCall(oneOffsApi.saveOneOffSettings, {
    invalidates: [oneOffsKey()],
    onSuccess: () => toast.success(t('oneoffs.approval_saved')),
  });
  const isOn = form.watch('isOn');
  return (
    <Box sx={{ maxWidth: 720 }}>
      <Form
        form={form}
        label={t('oneoffs.approval')}
        onSubmit={({ isOn: on, amount, currency: of }) =>
          save.mutateAsync({ approvalAbove: on ? (readAmount(amount, of) ?? null) : null })
        }
      >
        <CheckField form={form} name="isOn" as="switch" label={t('oneoffs.approval_on')} />
        {isOn && (
          <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start' }}>
            <Box sx={{ flex: 1, maxWidth: 260 }}>
              <MoneyField
                form={form}
                name="amount"
                label={t('oneoffs.approval_above')}
                help={t('oneoffs.approval_help')}
                sign={withSymbol('', form.watch('currency'), format.language)}
                required
              />
            </Box>
            <Box sx={{ width: 120 }}>
              <SelectField
                form={form}
                name="currency"
                label={t('oneoffs.currency')}
                options={currencyCodes.map((code) => ({ value: code, label: code }))}
              />
            </Box>
          </Stack>
        )}
        {isOn && otherAdmins === 0 && <Alert severity="warning">{t('oneoffs.approval_alone')}</Alert>}
        <Box>
          <SubmitButton form={form}>{t('oneoffs.approval_save')}</SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
