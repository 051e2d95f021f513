// Moves the clock of a sandbox by a day, a month or a year, or to a given day; and shows the progress of a
// move.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { Sandbox } from '../contract.ts';
import { sandboxesApi, sandboxesKey } from './api.ts';
import { isMoving, progressOf } from './sandbox-words.ts';

const shape = z.strictObject({
  day: z.pipe(z.string(), z.custom<LocalDay>(isDay, 'sandboxes.start_wrong')),
});
const presets = [
  ['day', { days: 1 }],
  ['month', { months: 1 }],
  ['year', { months: 12 }],
] as const;

export function MoveClock({ sandbox }: { readonly sandbox: Sandbox }) {
  const { t } = useTranslation('sandboxes');
  return (
    <Section title={t('sandboxes.move')} level={3}>
      {isMoving(sandbox) ? <Moving sandbox={sandbox} /> : <Resting sandbox={sandbox} />}
    </Section>
  );
}

function Moving({ sandbox }: { readonly sandbox: Sandbox }) {
  const { t } = useTranslation('sandboxes');
  const { id: sandboxId, clockAt, move } = sandbox;
  const cancel = useCall(sandboxesApi.cancelMove, {
    invalidates: [sandboxesKey()],
    onSuccess: () => toast.success(t('sandboxes.move_cancelled')),
    onError: toast.failure,
  });
  return (
    <Stack sx={{ gap: 2 }} aria-live="polite">
      <ProgressBar
        label={t('sandboxes.state_moving')}
        ratio={progressOf(sandbox)}
        note={
          <>
            <Moment at={clockAt} as="dateTime" /> → {move && <Moment at={move.to} as="dateTime" />}
          </>
        }
      />
      <Button
        variant="outlined"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ sandboxId })}
        sx={{ alignSelf: 'flex-start' }}
      >
        {t('sandboxes.move_cancel')}
      </Button>
    </Stack>
  );
}

function Resting({ sandbox: { id: sandboxId, name, state } }: { readonly sandbox: Sandbox }) {
  const { t } = useTranslation('sandboxes');
  const timeZone = useBrand((brand) => brand.timeZone);
  const form = useZodForm(shape, { day: '' });
  const settled = {
    invalidates: [sandboxesKey()],
    onSuccess: () => toast.success(t('sandboxes.move_started', { name })),
  };
  const move = useCall(sandboxesApi.moveClock, { ...settled, onError: toast.failure });
  const moveTo = useCall(sandboxesApi.moveClock, settled);
  const isBusy = state !== 'ready' || move.isPending || moveTo.isPending;
  return (
    <Stack sx={{ gap: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {t('sandboxes.move_help')}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {/* used as: 'sandboxes.move_day', 'sandboxes.move_month', 'sandboxes.move_year' */}
        {presets.map(([preset, by]) => (
          <Button
            key={preset}
            variant="outlined"
            disabled={isBusy}
            onClick={() => move.mutate({ sandboxId, ...by })}
          >
            {t(`sandboxes.move_${preset}`)}
          </Button>
        ))}
      </Stack>
      <Form
        form={form}
        onSubmit={({ day }) => moveTo.mutateAsync({ sandboxId, to: dayPeriod(day, timeZone).start })}
        label={t('sandboxes.move_to')}
      >
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}>
          <Box sx={{ flex: '1 1 200px', maxWidth: { sm: 320 }, display: 'grid' }}>
            <PickerField form={form} name="day" type="date" label={t('sandboxes.move_to')} required />
          </Box>
          <SubmitButton form={form}>{t('sandboxes.move_go')}</SubmitButton>
        </Stack>
      </Form>
    </Stack>
  );
}
