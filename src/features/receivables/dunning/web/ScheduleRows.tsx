// The rows of the schedule's editor: a step, a minimum amount.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { currencyCodes } from '#kernel/money.ts';
import { dunningActions, maxSteps } from '../contract.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useActionName, useDayWords } from './action-words.ts';
import { freeCurrency, nextKey, type DraftMinimum, type DraftStep } from './schedule-draft.ts';

const replaced = <Row extends { readonly key: number }>(rows: readonly Row[], row: Row): Row[] =>
  rows.map((each) => (each.key === row.key ? row : each));

export function ScheduleSteps({
  steps,
  onChange,
}: {
  steps: readonly DraftStep[];
  onChange: (steps: readonly DraftStep[]) => void;
}) {
  const { t } = useTranslation('dunning');
  const name = useActionName();
  const words = useDayWords();
  const last = Number.parseInt(steps.at(-1)?.day ?? '0', 10);
  const add = () =>
    onChange([
      ...steps,
      { key: nextKey(steps), day: String((Number.isNaN(last) ? 0 : last) + 7), action: 'reminder' },
    ]);
  return (
    <Stack sx={{ alignItems: 'flex-start' }}>
      {steps.map((step, index) => {
        const day = Number.parseInt(step.day, 10);
        return (
          <Stack
            key={step.key}
            role="group"
            aria-label={t('dunning.step_name', { place: index + 1 })}
            direction="row"
            sx={{ columnGap: 1.5, alignItems: 'flex-start', width: '100%', flexWrap: 'wrap' }}
          >
            <Box sx={{ width: 92 }}>
              <TextBox
                name={`day-${step.key}`}
                label={t('dunning.step_day')}
                autoComplete="off"
                value={step.day}
                onChange={(next) => onChange(replaced(steps, { ...step, day: next }))}
              />
            </Box>
            <SelectBox
              label={t('dunning.step_action')}
              value={step.action}
              options={dunningActions.map((action) => ({ value: action, label: name(action) }))}
              onChange={(action) => onChange(replaced(steps, { ...step, action }))}
            />
            <Typography
              variant="body2"
              color="textSecondary"
              sx={{
                paddingTop: { xs: '3px', sm: '9px' },
                minWidth: 0,
                // Close below its fields on phones; otherwise beside them, so that the icons of all steps are
                // aligned.
                order: { xs: 1, sm: 0 },
                width: { xs: '100%', sm: 176 },
                marginTop: { xs: '-26px', sm: 0 },
                paddingBottom: { xs: '20px', sm: 0 },
              }}
            >
              {Number.isNaN(day) ? '' : words(day)}
            </Typography>
            <IconAction
              label={t('dunning.step_remove', { place: index + 1 })}
              disabled={steps.length === 1}
              onClick={() => onChange(steps.filter((each) => each.key !== step.key))}
            >
              <DeleteOutlined />
            </IconAction>
          </Stack>
        );
      })}
      <AddEntry isBelow label={t('dunning.step_add')} count={steps.length} most={maxSteps} onAdd={add} />
    </Stack>
  );
}

export function Minimums({
  minimums,
  onChange,
}: {
  minimums: readonly DraftMinimum[];
  onChange: (minimums: readonly DraftMinimum[]) => void;
}) {
  const { t } = useTranslation('dunning');
  const free = freeCurrency(minimums);
  return (
    <Stack sx={{ alignItems: 'flex-start' }}>
      {minimums.map((row) => (
        <Stack
          key={row.key}
          role="group"
          aria-label={row.currency}
          direction="row"
          sx={{ gap: 1.5, alignItems: 'flex-start' }}
        >
          <SelectBox
            label={t('dunning.minimum_currency')}
            value={row.currency}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
            onChange={(currency) => onChange(replaced(minimums, { ...row, currency }))}
          />
          <Box sx={{ width: 140 }}>
            <TextBox
              name={`minimum-${row.key}`}
              label={t('dunning.minimum_amount')}
              inputMode="decimal"
              autoComplete="off"
              value={row.amount}
              onChange={(amount) => onChange(replaced(minimums, { ...row, amount }))}
            />
          </Box>
          <IconAction
            label={t('dunning.minimum_remove', { currency: row.currency })}
            onClick={() => onChange(minimums.filter((each) => each.key !== row.key))}
          >
            <DeleteOutlined />
          </IconAction>
        </Stack>
      ))}
      <AddEntry
        isBelow
        label={t('dunning.minimum_add')}
        count={minimums.length}
        most={Math.min(20, currencyCodes.length)}
        onAdd={() => free && onChange([...minimums, { key: nextKey(minimums), currency: free, amount: '0' }])}
      />
    </Stack>
  );
}
