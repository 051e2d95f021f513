// How many days a license is valid.
import { usualValidDays } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';

const choices = ['30', '90', '365', '1095'] as const;
export type DaysChoice = (typeof choices)[number];
export const usualDays: DaysChoice = choices.find((days) => Number(days) === usualValidDays) ?? '365';

export function ValidDays({
  value,
  onChange,
  disabled = false,
}: {
  value: DaysChoice;
  onChange: (days: DaysChoice) => void;
  disabled?: boolean;
}) {
  const { t } = useTranslation('licensing');
  // used as: 'licensing.days_*'
  return (
    <SelectBox
      label={t('licensing.valid_for')}
      value={value}
      options={choices.map((days) => ({ value: days, label: t(`licensing.days_${days}`) }))}
      onChange={onChange}
      disabled={disabled}
      fullWidth
    />
  );
}
