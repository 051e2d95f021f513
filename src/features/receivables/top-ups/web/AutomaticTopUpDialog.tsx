// The form of automatic top-ups: three amounts, and the text with these amounts that the person agrees to.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { moneyText, parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { AutomaticTopUp, AutomaticTopUps } from '../contract.ts';
import { topupsApi, topupsKey } from './api.ts';

const amounts = ['threshold', 'amount', 'monthlyCap'] as const;
/** '1,050' and '1050' are the same; undefined if it is not an amount of the currency. */
const typed = (text: string, currency: Currency): Money | undefined =>
  parseMoney(text.trim().replaceAll(',', ''), currency);

const fieldsOf = (currencies: readonly Currency[]) =>
  z
    .strictObject({
      currency: z.enum(currencies),
      threshold: z.string(),
      amount: z.string(),
      monthlyCap: z.string(),
      consents: z.boolean(),
    })
    .check(
      z.check(({ value, issues }) => {
        for (const name of amounts) {
          const found = typed(value[name], value.currency);
          if (found && found.minor > 0n) continue;
          issues.push({
            code: 'custom',
            input: value[name],
            path: [name],
            message: found ? 'topups.amount_not_positive' : 'topups.amount_wrong',
          });
        }
        const [amount, cap] = [typed(value.amount, value.currency), typed(value.monthlyCap, value.currency)];
        if (amount && cap && cap.minor > 0n && cap.minor < amount.minor)
          issues.push({
            code: 'custom',
            input: value.monthlyCap,
            path: ['monthlyCap'],
            message: 'topups.cap_below_amount',
          });
      }),
    );

export function AutomaticTopUpDialog({
  found,
  setting,
  currencies,
  onClose,
}: {
  found: AutomaticTopUps;
  /** The setting to change; undefined to create one. */
  setting: AutomaticTopUp | undefined;
  currencies: readonly Currency[];
  onClose: () => void;
}) {
  const { t } = useTranslation('topups');
  const format = useFormat();
  const { language } = format;
  const form = useZodForm(fieldsOf(currencies), {
    currency: required(currencies[0], 'a currency'),
    threshold: setting ? moneyText(setting.threshold) : '',
    amount: setting ? moneyText(setting.amount) : '',
    monthlyCap: setting ? moneyText(setting.monthlyCap) : '',
    consents: false,
  });
  const save = useCall(topupsApi.setAutomaticTopUp, {
    invalidates: [topupsKey()],
    onSuccess: () => toast.success(t('topups.saved')),
  });
  const value = useWatch({ control: form.control });
  const currency = value.currency ?? required(currencies[0], 'a currency');
  const shown = (text: string | undefined): string => {
    const amount = typed(text ?? '', currency);
    return amount ? format.money(amount) : '…';
  };
  const amountOf = (text: string, of: Currency): Money =>
    required(typed(text, of), 'the form checked the amount');
  const sign = withSymbol('', currency, language);
  const title = t(setting ? 'topups.change' : 'topups.set_up');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t(setting ? 'topups.save_change' : 'topups.save')}
      onSubmit={(sent) =>
        save.mutateAsync({
          threshold: amountOf(sent.threshold, sent.currency),
          amount: amountOf(sent.amount, sent.currency),
          monthlyCap: amountOf(sent.monthlyCap, sent.currency),
          consents: sent.consents,
          language,
        })
      }
      onClose={onClose}
    >
      {currencies.length > 1 && (
        <SelectField
          form={form}
          name="currency"
          label={t('topups.currency')}
          options={currencies.map((one) => ({ value: one, label: one }))}
        />
      )}
      <MoneyField
        form={form}
        name="threshold"
        label={t('topups.threshold')}
        help={t('topups.threshold_help')}
        sign={sign}
        required
      />
      <MoneyField form={form} name="amount" label={t('topups.amount')} sign={sign} required />
      <MoneyField
        form={form}
        name="monthlyCap"
        label={t('topups.monthly_cap')}
        help={t('topups.monthly_cap_help')}
        sign={sign}
        required
      />
      <Box sx={{ padding: 2, borderRadius: 1, border: '1px solid', borderColor: 'divider' }}>
        <Typography variant="body2" color="textSecondary">
          {t('topups.consent', {
            brand: found.brand,
            threshold: shown(value.threshold),
            amount: shown(value.amount),
            cap: shown(value.monthlyCap),
          })}
        </Typography>
      </Box>
      <CheckField form={form} name="consents" label={t('topups.consents')} />
    </FormDialog>
  );
}
