// The terms under which late fees are charged, for Admins; late fees are off until terms are saved.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currencyCodes } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { oneOffTaxes } from '#features/invoicing/one-offs/contract.ts';
import type { LateFeeSettings as Settings } from '../contract.ts';
import { lateFeesApi, lateFeesKey, lateFeesQueries } from './api.ts';
import { draftOfTerms, freeCurrency, newRow, termsOfDraft, type TermsDraft } from './terms-draft.ts';
import { TermsRow } from './TermsRow.tsx';

export function LateFeeSettings() {
  const { t } = useTranslation('latefees');
  const query = useQuery(lateFeesQueries.getLateFees());
  const isOn = query.data ? query.data.terms !== null : undefined;
  useLive('billing', [lateFeesKey('getLateFees')]);
  return (
    <Section
      title={t('latefees.title')}
      lead={t('latefees.lead')}
      actions={
        isOn !== undefined && (
          <StatusBadge tone={isOn ? 'success' : 'neutral'} label={t(isOn ? 'latefees.on' : 'latefees.off')} />
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {(settings) => <Editor key={settings.since?.toISOString() ?? 'never'} settings={settings} />}
      </QueryState>
    </Section>
  );
}

function Editor({ settings: { terms, since, by, isTaxStated } }: { settings: Settings }) {
  const { t } = useTranslation('latefees');
  const format = useFormat();
  const [draft, setDraft] = useState<TermsDraft>(() => draftOfTerms(terms));
  const [isEnding, setEnding] = useState(false);
  const wanted = termsOfDraft(draft);
  const save = useCall(lateFeesApi.saveLateFees, {
    invalidates: [lateFeesKey()],
    onSuccess: (saved) => toast.success(t(saved.terms === null ? 'latefees.switched_off' : 'latefees.saved')),
  });
  const change = (part: Partial<TermsDraft>) => setDraft((before) => ({ ...before, ...part }));
  const free = freeCurrency(draft.rows);
  return (
    <Stack sx={{ gap: 2, maxWidth: 860 }}>
      {since !== null && (
        <Typography variant="caption" color="textSecondary">
          {t('latefees.since', { by, date: format.dateTime(since) })}
        </Typography>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: '4px 16px',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <TextBox
          name="graceDays"
          label={t('latefees.grace')}
          help={t('latefees.grace_help')}
          inputMode="numeric"
          autoComplete="off"
          value={draft.graceDays}
          onChange={(graceDays) => change({ graceDays })}
        />
        <Stack sx={{ gap: 0.5 }}>
          <SelectBox
            label={t('latefees.tax')}
            value={draft.taxedAs}
            fullWidth
            disabled={!isTaxStated && draft.taxedAs === 'standard'}
            // used as: 'latefees.tax_*'
            options={oneOffTaxes.map((value) => ({ value, label: t(`latefees.tax_${value}`) }))}
            onChange={(taxedAs) => change({ taxedAs })}
          />
          <Typography variant="caption" color="textSecondary" sx={{ paddingInline: '2px' }}>
            {t(isTaxStated ? 'latefees.tax_help_stated' : 'latefees.tax_help_plain')}
          </Typography>
        </Stack>
      </Box>
      <Stack sx={{ gap: 1, alignItems: 'stretch' }}>
        {draft.rows.map((row) => (
          <TermsRow
            key={row.key}
            row={row}
            isOnly={draft.rows.length === 1}
            onChange={(next) =>
              change({ rows: draft.rows.map((each) => (each.key === next.key ? next : each)) })
            }
            onRemove={() => change({ rows: draft.rows.filter(({ key }) => key !== row.key) })}
          />
        ))}
        <AddEntry
          isBelow
          label={t('latefees.row_add')}
          count={draft.rows.length}
          most={Math.min(20, currencyCodes.length)}
          onAdd={() =>
            free &&
            change({
              rows: [...draft.rows, newRow(Math.max(...draft.rows.map(({ key }) => key)) + 1, free)],
            })
          }
        />
        <Typography variant="caption" color="textSecondary">
          {t('latefees.row_help')}
        </Typography>
      </Stack>
      {wanted.problem && <Alert severity="warning">{t(wanted.problem.code, wanted.problem.params)}</Alert>}
      {save.error && <Alert severity="error">{save.error.message}</Alert>}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant="contained"
          loading={save.isPending}
          disabled={!wanted.terms}
          onClick={() => wanted.terms && save.mutate({ terms: wanted.terms })}
        >
          {t(terms === null ? 'latefees.save' : 'latefees.save_on')}
        </Button>
        {terms !== null && (
          <Button aria-haspopup="dialog" variant="outlined" onClick={() => setEnding(true)}>
            {t('latefees.switch_off')}
          </Button>
        )}
      </Stack>
      <ConfirmDialog
        open={isEnding}
        title={t('latefees.switch_off_title')}
        confirmLabel={t('latefees.switch_off')}
        onConfirm={() => save.mutateAsync({ terms: null })}
        onClose={() => setEnding(false)}
      >
        {t('latefees.switch_off_text')}
      </ConfirmDialog>
    </Stack>
  );
}
