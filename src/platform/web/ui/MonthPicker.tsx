// Selects a month: previous, next, or any month of a year.
import ArrowDropDownOutlined from '~icons/ic/outline-arrow-drop-down';
import ChevronLeftOutlined from '~icons/ic/outline-chevron-left';
import ChevronRightOutlined from '~icons/ic/outline-chevron-right';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { IconAction } from './IconAction.tsx';

export type MonthPickerProps = {
  readonly value: BillingMonth;
  readonly onChange: (month: BillingMonth) => void;
  /** The first and last selectable month. */
  readonly min?: BillingMonth;
  readonly max?: BillingMonth;
};

export function MonthPicker({ value, onChange, min, max }: MonthPickerProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isIn = (month: BillingMonth) =>
    (min === undefined || month >= min) && (max === undefined || month <= max);
  const choose = (month: BillingMonth) => {
    setAnchor(null);
    onChange(month);
  };
  return (
    <Stack
      direction="row"
      sx={{
        alignItems: 'center',
        border: '1px solid',
        borderColor: 'control',
        borderRadius: '5px',
        bgcolor: 'background.paper',
        width: 'fit-content',
      }}
    >
      <IconAction
        label={t('month.previous')}
        disabled={!isIn(addMonths(value, -1))}
        onClick={() => onChange(addMonths(value, -1))}
      >
        <ChevronLeftOutlined />
      </IconAction>
      <Button
        color="inherit"
        endIcon={<ArrowDropDownOutlined />}
        aria-haspopup="dialog"
        aria-label={t('month.choose_of', { month: format.month(value) })}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ paddingInline: 1 }}
      >
        {format.month(value)}
      </Button>
      <IconAction
        label={t('month.next')}
        disabled={!isIn(addMonths(value, 1))}
        onClick={() => onChange(addMonths(value, 1))}
      >
        <ChevronRightOutlined />
      </IconAction>
      {anchor && (
        <Popover
          open
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
          transformOrigin={{ vertical: 'top', horizontal: 'center' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': t('month.choose') } }}
        >
          <YearGrid value={value} isIn={isIn} onChoose={choose} />
        </Popover>
      )}
    </Stack>
  );
}

function YearGrid({
  value,
  isIn,
  onChoose,
}: {
  value: BillingMonth;
  isIn: (month: BillingMonth) => boolean;
  onChoose: (month: BillingMonth) => void;
}) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const [january, setJanuary] = useState(addMonths(value, 1 - Number.parseInt(value.slice(5), 10)));
  const months = monthsFrom(january, 12);
  return (
    <Box sx={{ padding: 1.5, width: 264 }}>
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', marginBottom: 1 }}>
        <IconAction
          label={t('month.previous_year')}
          disabled={!isIn(addMonths(january, -1))}
          onClick={() => setJanuary(addMonths(january, -12))}
        >
          <ChevronLeftOutlined />
        </IconAction>
        <Typography variant="subtitle2" component="p" aria-live="polite">
          {january.slice(0, 4)}
        </Typography>
        <IconAction
          label={t('month.next_year')}
          disabled={!isIn(addMonths(january, 12))}
          onClick={() => setJanuary(addMonths(january, 12))}
        >
          <ChevronRightOutlined />
        </IconAction>
      </Stack>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(3, 1fr)', gap: 0.5 }}>
        {months.map((month) => (
          <Button
            key={month}
            autoFocus={month === value}
            variant={month === value ? 'contained' : 'text'}
            color={month === value ? 'primary' : 'inherit'}
            disabled={!isIn(month)}
            onClick={() => onChoose(month)}
            sx={{ minWidth: 0, fontWeight: month === value ? 700 : 400 }}
          >
            {format.monthShort(month)}
          </Button>
        ))}
      </Box>
    </Box>
  );
}
