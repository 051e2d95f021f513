// A range of days with presets (R-USE-05). Not a form: it submits nothing, and its owner may change the range
// while the user types. Shows which of the three rules a range violates, and does not apply that range.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import Stack from '@mui/material/Stack';
import { useId, useState, type ReactNode } from 'react';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { addDays, firstDayOf, monthsAfter } from '#kernel/time.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { rangeProblem } from '../time/range-problem.ts';
import { DayInput } from './Day.tsx';

/** Both days inclusive. */
export type DayRange = { readonly from: LocalDay; readonly to: LocalDay };
export type DateRangeProps = {
  readonly value: DayRange;
  readonly onApply: (range: DayRange) => void;
  /** Today in the data's time zone; later days cannot be selected. */
  readonly today: LocalDay;
  /** Actions for the range: at the end of the row; on phones next to the apply button. */
  readonly beside?: ReactNode;
};

/** What is in the two fields; empty while a day is incomplete. */
type Typed = Readonly<Record<'from' | 'to', string>>;

export function DateRange({ value, onApply, today, beside }: DateRangeProps) {
  const { t } = useTranslation('platform');
  const help = useId();
  const [draft, setDraft] = useState<{ range: Typed; changed: 'from' | 'to'; of: DayRange }>({
    range: value,
    changed: 'to',
    of: value,
  });
  // A range that was applied elsewhere (a preset, the URL) replaces the draft.
  const isStale = draft.of.from !== value.from || draft.of.to !== value.to;
  const { range, changed } = isStale ? { range: value, changed: 'to' as const } : draft;
  const problem = rangeProblem(range.from, range.to, changed);
  const isSame = range.from === value.from && range.to === value.to;
  const edit = (end: 'from' | 'to', day: string) =>
    setDraft({ range: { ...range, [end]: day }, changed: end, of: value });
  // A chosen range replaces what was typed, also when it is the one that applies already.
  const choose = (chosen: DayRange) => {
    setDraft({ range: chosen, changed: 'to', of: value });
    onApply(chosen);
  };
  return (
    <Stack
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { from, to } = range;
        if (!problem && isDay(from) && isDay(to)) onApply({ from, to });
      }}
      sx={{ gap: 0.5, width: '100%' }}
    >
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        {/* used as: 'range.from', 'range.to' */}
        {(['from', 'to'] as const).map((end) => (
          <DayInput
            key={end}
            label={t(`range.${end}`)}
            value={range[end]}
            error={problem !== undefined}
            slotProps={{ input: { max: today, 'aria-describedby': help } }}
            onChange={(day) => edit(end, day)}
          />
        ))}
        <Button
          type="submit"
          variant="outlined"
          disabled={problem !== undefined || isSame || range.from === '' || range.to === ''}
          sx={{ flex: { xs: 1, sm: 'none' } }}
        >
          {t('range.apply')}
        </Button>
        <Presets today={today} onChoose={choose} />
        {beside !== undefined && (
          <Box
            sx={{
              display: 'flex',
              flex: { xs: 1, sm: 'none' },
              marginInlineStart: { sm: 'auto' },
              '& > button': { flex: 1 },
            }}
          >
            {beside}
          </Box>
        )}
      </Stack>
      <FormHelperText id={help} error role="status" sx={{ minHeight: problem ? 20 : 0, margin: 0 }}>
        {problem ? t(problem) : ''}
      </FormHelperText>
    </Stack>
  );
}

function Presets({ today, onChoose }: { today: LocalDay; onChoose: (range: DayRange) => void }) {
  const { t } = useTranslation('platform');
  const firstOfMonth = firstDayOf(today);
  const lastOfPrevious = addDays(firstOfMonth, -1);
  const presets = [
    [t('range.last_30_days'), { from: addDays(today, -29), to: today }],
    [t('range.this_month'), { from: firstOfMonth, to: today }],
    [t('range.last_month'), { from: firstDayOf(lastOfPrevious), to: lastOfPrevious }],
    [t('range.three_months'), { from: monthsAfter(today, -3), to: today }],
  ] as const;
  return (
    <Stack
      direction="row"
      sx={{ gap: 0.5, flexWrap: 'wrap', order: { xs: 1, sm: 0 }, width: { xs: '100%', sm: 'auto' } }}
    >
      {presets.map(([label, range]) => (
        <Button key={label} size="small" onClick={() => onChoose(range)}>
          {label}
        </Button>
      ))}
    </Stack>
  );
}
