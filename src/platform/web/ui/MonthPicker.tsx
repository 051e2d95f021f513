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
import { shiftMonth } from '../time/calendar.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { IconAction } from './IconAction.tsx';

export type MonthPickerProps = {
  /** 'YYYY-MM' */
  readonly value: string;
  readonly onChange: (month: string) => void;
  /** The first and last selectable month. */
  readonly min?: string;
  readonly max?: string;
};

export function MonthPicker({ value, onChange, min = '1900-01', max = '2199-12' }: MonthPickerProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isIn = (month: string) => month >= min && month <= max;
  const choose = (month: string) => {
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
        disabled={!isIn(shiftMonth(value, -1))}
        onClick={() => onChange(shiftMonth(value, -1))}
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
        disabled={!isIn(shiftMonth(value, 1))}
        onClick={() => onChange(shiftMonth(value, 1))}
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
  value: string;
  isIn: (month: string) => boolean;
  onChoose: (month: string) => void;
}) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const [year, setYear] = useState(Number.parseInt(value.slice(0, 4), 10));
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
  return (
    <Box sx={{ padding: 1.5, width: 264 }}>
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', marginBottom: 1 }}>
        <IconAction
          label={t('month.previous_year')}
          disabled={!isIn(`${year - 1}-12`)}
          onClick={() => setYear(year - 1)}
        >
          <ChevronLeftOutlined />
        </IconAction>
        <Typography variant="subtitle2" component="p" aria-live="polite">
          {year}
        </Typography>
        <IconAction
          label={t('month.next_year')}
          disabled={!isIn(`${year + 1}-01`)}
          onClick={() => setYear(year + 1)}
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
