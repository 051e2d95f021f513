// Chooses one month: back, a list, forward.
import ChevronLeftOutlined from '@mui/icons-material/ChevronLeftOutlined';
import ChevronRightOutlined from '@mui/icons-material/ChevronRightOutlined';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import type { BillingMonth } from '#kernel/shape.ts';
import { usePlatformTexts } from '../i18n.ts';
import { monthsBack, monthsLater } from '../months.ts';
import { useFormat } from '../use-format.ts';
import { SelectBox } from './SelectBox.tsx';

export type MonthPickerProps = {
  readonly value: BillingMonth;
  readonly onChange: (month: BillingMonth) => void;
  /** The latest month that can be chosen. */
  readonly latest: BillingMonth;
  /** How many months back the list goes; a value before them stays in it. */
  readonly count?: number;
  readonly label?: string;
  readonly disabled?: boolean;
};

const defaultCount = 36;

export function MonthPicker({ value, onChange, latest, count = defaultCount, label, disabled = false }: MonthPickerProps) {
  const t = usePlatformTexts();
  const format = useFormat();
  const listed = monthsBack(latest, count);
  const months = listed.includes(value) ? listed : [...listed, value].toSorted().toReversed();
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: '4px' }}>
      <IconButton aria-label={t('month.previous')} disabled={disabled} onClick={() => onChange(monthsLater(value, -1))}><ChevronLeftOutlined /></IconButton>
      <SelectBox label={label ?? t('month.choose')} value={value} options={months.map((month) => ({ value: month, label: format.month(month) }))} onChange={onChange} disabled={disabled} />
      <IconButton aria-label={t('month.next')} disabled={disabled || value >= latest} onClick={() => onChange(monthsLater(value, 1))}><ChevronRightOutlined /></IconButton>
    </Stack>
  );
}
