// The quantities of a rate card: a field for every charge that has a quantity.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { planQuantity } from '../contract.ts';
import { countedCharges } from '../rules-charges.ts';

/** The typed quantities, by key of the charge; untouched ones have a quantity of one. */
export type TypedQuantities = Readonly<Record<string, string>>;

const isQuantity = (text: string): boolean => planQuantity.safeParse(text.trim()).success;
const typedOf = (typed: TypedQuantities, key: string): string => typed[key] ?? '1';

/** The quantities to order; undefined while one of them is invalid, empty for a price without charges. */
export function quantitiesOf(pricing: Pricing, typed: TypedQuantities): Record<string, string> | undefined {
  const keys = countedCharges(pricing).map(({ key }) => key);
  if (!keys.every((key) => isQuantity(typedOf(typed, key)))) return undefined;
  return Object.fromEntries(keys.map((key) => [key, typedOf(typed, key).trim()]));
}

/** The quantities as a part of a call's input: left out if there are none. */
export const givenQuantities = (quantities: Readonly<Record<string, string>> | undefined) =>
  quantities && Object.keys(quantities).length > 0 ? { quantities } : {};

export function ChargeQuantities({
  pricing,
  typed,
  onChange,
}: {
  pricing: Pricing;
  typed: TypedQuantities;
  onChange: (typed: TypedQuantities) => void;
}) {
  const { t } = useTranslation('subscriptions');
  const language = useLanguage();
  const charges = countedCharges(pricing);
  if (charges.length === 0) return null;
  return (
    <Box role="group" aria-label={t('subscriptions.quantities')} sx={pairs}>
      {charges.map(({ key, name }) => (
        <TextBox
          key={key}
          name={`quantity-${key}`}
          label={t('subscriptions.quantity_of', { charge: inLanguage(name, language) })}
          wraps
          inputMode="decimal"
          autoComplete="off"
          value={typedOf(typed, key)}
          onChange={(text) => onChange({ ...typed, [key]: text })}
          problem={isQuantity(typedOf(typed, key)) ? undefined : 'form.invalid'}
        />
      ))}
    </Box>
  );
}
