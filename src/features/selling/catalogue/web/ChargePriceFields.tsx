// The price of a charge: the fields of its model.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { packageRoundings, tierScopes } from '#features/selling/rating/contract.ts';
import { useChargeMeter } from './known-meters.ts';
import { MatrixEditor } from './MatrixEditor.tsx';
import type { ServiceForm } from './service-form.ts';
import { TierEditor } from './TierEditor.tsx';

type PriceName = 'amount' | 'unitPrice' | 'packagePrice';
type FigureName = 'included' | 'packageSize' | 'freeUnits' | 'ratePercent';

export function ChargePriceFields({ form, index }: { form: ServiceForm; index: number }) {
  const { t } = useTranslation('catalogue');
  const at = `charges.${index}` as const;
  const [model, kind, tierScope, currency] = useWatch({
    control: form.control,
    name: [`${at}.model`, `${at}.kind`, `${at}.tierScope`, 'currency'],
  });
  const { meter } = useChargeMeter(form, index);
  const unit = kind === 'usage' ? meter?.unit : undefined;
  const hasScope = kind === 'usage' && ((meter?.dimensions.length ?? 0) > 0 || tierScope === 'per_value');
  const optional = t('form.optional');
  const price = (name: PriceName, label: string, isNeeded: boolean, help?: string) => (
    <TextField
      form={form}
      name={`${at}.${name}`}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      start={currency}
      required={isNeeded}
      {...(help !== undefined ? { help } : !isNeeded && { help: optional })}
    />
  );
  const figure = (name: FigureName, label: string, isNeeded: boolean, end?: string) => (
    <TextField
      form={form}
      name={`${at}.${name}`}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      end={end}
      required={isNeeded}
      {...(!isNeeded && { help: optional })}
    />
  );
  const included = figure('included', t('catalogue.charge_included'), false, unit);
  switch (model) {
    case 'flat':
      return <Box sx={pairs}>{price('amount', t('catalogue.charge_amount'), true)}</Box>;
    case 'per_unit':
      return (
        <Box sx={pairs}>
          {price('unitPrice', t('catalogue.unit_price'), true, t('catalogue.unit_price_help'))}
          {included}
        </Box>
      );
    case 'graduated':
    case 'volume':
      return (
        <>
          <TierEditor form={form} name={`${at}.tiers`} />
          <Box sx={pairs}>
            {included}
            {/* used as: 'catalogue.tier_scope_*' */}
            {hasScope && (
              <SelectField
                form={form}
                name={`${at}.tierScope`}
                label={t('catalogue.tier_scope')}
                options={tierScopes.map((one) => ({ value: one, label: t(`catalogue.tier_scope_${one}`) }))}
              />
            )}
          </Box>
        </>
      );
    case 'package':
      return (
        <Box sx={pairs}>
          {figure('packageSize', t('catalogue.package_size'), true, unit)}
          {price('packagePrice', t('catalogue.package_price'), true)}
          {figure('freeUnits', t('catalogue.free_units'), false, unit)}
          {/* used as: 'catalogue.rounding_*' */}
          <SelectField
            form={form}
            name={`${at}.rounding`}
            label={t('catalogue.rounding')}
            options={packageRoundings.map((one) => ({ value: one, label: t(`catalogue.rounding_${one}`) }))}
          />
        </Box>
      );
    case 'percentage':
      return <Box sx={pairs}>{figure('ratePercent', t('catalogue.charge_rate'), true, '%')}</Box>;
    case 'graduated_percentage':
      return <TierEditor form={form} name={`${at}.tiers`} isPercent />;
    case 'matrix':
      return <MatrixEditor form={form} index={index} />;
    case 'dynamic':
      return null;
  }
}
