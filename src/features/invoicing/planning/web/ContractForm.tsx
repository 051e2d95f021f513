// The proposed terms: customer and months, discounts, commitments, credit, a minimum spend, and usage growth.
import PlayCircleOutlined from '~icons/ic/outline-play-circle';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Slider from '@mui/material/Slider';
import Typography from '@mui/material/Typography';
import { useIsFetching } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { currencyCodes } from '#kernel/money.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, PercentField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { planningKey } from './api.ts';
import { monthChoices, type ContractFields } from './contract-fields.ts';
import { Commitments } from './ContractCommitmentFields.tsx';
import { Credits } from './ContractCreditFields.tsx';
import { Discounts } from './ContractDiscountFields.tsx';
import { EntryGroup } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { useSign, type Part } from './ContractEntries.tsx';

export function ContractForm({
  form,
  onSubmit,
}: Part & { readonly onSubmit: (fields: ContractFields) => void }) {
  const { t } = useTranslation('planning');
  const isBusy = useIsFetching({ queryKey: planningKey('simulateContract') }) > 0;
  return (
    <Section title={t('planning.contract_terms')}>
      <Form
        form={form}
        onSubmit={(fields) => Promise.resolve(onSubmit(fields))}
        label={t('planning.contract_terms')}
      >
        <Alert severity="info">{t('planning.contract_present')}</Alert>
        <Box sx={{ marginTop: 1 }}>
          <OrganizationField
            form={form}
            name="organization"
            label={t('planning.contract_organization')}
            required
          />
        </Box>
        <Box sx={pairs}>
          <SelectField
            form={form}
            name="months"
            label={t('planning.contract_months')}
            options={monthChoices.map((value) => ({
              value,
              label: t('planning.contract_last_months', { count: Number.parseInt(value, 10) }),
            }))}
          />
          <SelectField
            form={form}
            name="currency"
            label={t('planning.contract_currency')}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
          />
        </Box>
        <Discounts form={form} />
        <Commitments form={form} />
        <Credits form={form} />
        <EntryGroup title={t('planning.contract_minimum')}>
          <MinimumSpend form={form} />
        </EntryGroup>
        <EntryGroup title={t('planning.contract_growth')}>
          <Growth form={form} />
        </EntryGroup>
        <Button
          type="submit"
          variant="contained"
          size="large"
          startIcon={<PlayCircleOutlined />}
          loading={isBusy}
          loadingPosition="start"
          sx={{ alignSelf: 'start' }}
        >
          {t('planning.contract_simulate')}
        </Button>
      </Form>
    </Section>
  );
}

function MinimumSpend({ form }: Part) {
  const { t } = useTranslation('planning');
  return (
    <MoneyField
      form={form}
      name="minimumSpend"
      label={t('planning.contract_minimum_monthly')}
      help={t('planning.contract_minimum_help')}
      sign={useSign({ form })}
    />
  );
}

/** The slider has the usual range; other values can be typed. */
const growthSlider = { min: -90, max: 200, step: 5 } as const;

function Growth({ form }: Part) {
  const { t } = useTranslation('planning');
  const { field } = useController({ control: form.control, name: 'growth' });
  const typed = Number(field.value);
  const value = Number.isFinite(typed) ? typed : 0;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr) 128px', alignItems: 'start' }}>
      <Box sx={{ paddingInline: '10px' }}>
        <Slider
          {...growthSlider}
          // Values are measured from zero growth in both directions, not from the minimum.
          track={false}
          value={Math.min(Math.max(value, growthSlider.min), growthSlider.max)}
          marks={[{ value: 0 }]}
          aria-label={t('planning.contract_growth')}
          getAriaValueText={(shown) => `${shown}%`}
          onChange={(_, next) => field.onChange(next === 0 ? '' : String(next))}
          sx={{ '@media (pointer: coarse)': { paddingBlock: '21px' } }}
        />
      </Box>
      <PercentField form={form} name="growth" label={t('planning.contract_growth_percent')} />
      <Typography variant="caption" color="textSecondary" sx={{ gridColumn: '1 / -1', marginTop: '-24px' }}>
        {t('planning.contract_growth_help')}
      </Typography>
    </Box>
  );
}
