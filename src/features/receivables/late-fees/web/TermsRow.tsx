// Edits the terms of one currency.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import { currencyCodes } from '#kernel/money.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { DraftRow } from './terms-draft.ts';

export function TermsRow({
  row,
  isOnly,
  onChange,
  onRemove,
}: {
  row: DraftRow;
  isOnly: boolean;
  onChange: (row: DraftRow) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('latefees');
  const { key, currency, way } = row;
  const ways = [
    { value: 'percent', label: t('latefees.way_percent') },
    { value: 'fixed', label: t('latefees.way_fixed') },
  ] as const;
  return (
    <Box
      role="group"
      aria-label={t('latefees.row', { currency })}
      sx={{
        display: 'grid',
        gap: '0 12px',
        alignItems: 'start',
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          sm: 'repeat(3, minmax(0, 1fr))',
          md: '128px minmax(180px, 1.4fr) repeat(3, minmax(0, 1fr)) 40px',
        },
        // Text boxes have room for a message below them; two selects side by side have none.
        '& > [data-label]': { marginBottom: { xs: '14px', sm: 0 } },
      }}
    >
      <SelectBox
        label={t('latefees.currency')}
        value={currency}
        fullWidth
        options={currencyCodes.map((code) => ({ value: code, label: code }))}
        onChange={(next) => onChange({ ...row, currency: next })}
      />
      <SelectBox
        label={t('latefees.way')}
        value={way}
        fullWidth
        options={ways}
        onChange={(next) => onChange({ ...row, way: next, figure: '' })}
      />
      <TextBox
        name={`figure-${key}`}
        label={t(way === 'percent' ? 'latefees.percent' : 'latefees.fixed')}
        inputMode="decimal"
        autoComplete="off"
        value={row.figure}
        onChange={(figure) => onChange({ ...row, figure })}
      />
      <TextBox
        name={`minimum-${key}`}
        label={t('latefees.minimum')}
        inputMode="decimal"
        autoComplete="off"
        value={row.minimum}
        onChange={(minimum) => onChange({ ...row, minimum })}
      />
      <TextBox
        name={`cap-${key}`}
        label={t('latefees.cap')}
        inputMode="decimal"
        autoComplete="off"
        value={row.cap}
        onChange={(cap) => onChange({ ...row, cap })}
      />
      <IconAction label={t('latefees.row_remove', { currency })} disabled={isOnly} onClick={onRemove}>
        <DeleteOutlined />
      </IconAction>
    </Box>
  );
}
