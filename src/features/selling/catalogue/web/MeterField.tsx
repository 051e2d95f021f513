// The meter of a usage charge: found by name or key, or created on the spot.
import AddOutlined from '~icons/ic/outline-add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { metersQueries, NewMeterDialog } from '#features/selling/meters/web/parts.ts';
import { there, useKnownMeters, usePlannedMeters, type KnownMeter } from './known-meters.ts';
import { useMeterWords } from './meter-words.ts';
import type { ServiceForm } from './service-form.ts';

const shown = 50;

type MeterFieldProps = {
  readonly form: ServiceForm;
  readonly name: `charges.${number}.meter` | 'quotaMeter';
  readonly label: string;
  /** Only these meters can be chosen. */
  readonly isFor?: (meter: KnownMeter) => boolean;
};

/** The meter of a stored charge never changes. */
export function MeterFact({ form, name }: Pick<MeterFieldProps, 'form' | 'name'>) {
  const { t } = useTranslation('catalogue');
  const words = useMeterWords();
  const key = form.getValues(name);
  const { meters } = useKnownMeters(form, [key]);
  const meter = meters.get(key);
  return (
    <Facts
      items={[
        [
          t('catalogue.charge_meter'),
          meter ? t('catalogue.meter_described', { name: meter.name, described: words(meter) }) : key,
        ],
      ]}
    />
  );
}

export function MeterField({ form, name, label, isFor = () => true }: MeterFieldProps) {
  const { t } = useTranslation('catalogue');
  const words = useMeterWords();
  const { field, fieldState } = useController({ control: form.control, name });
  const key = field.value ?? '';
  const { meters, isLoading } = useKnownMeters(form, [key]);
  const chosen = meters.get(key);
  const { search, onType } = useSearchText(chosen?.name);
  const found = usePagedQuery(metersQueries.listMeters({ q: search, limit: shown }));
  const [isMaking, setIsMaking] = useState(false);
  const isMissing = key !== '' && chosen === undefined && !isLoading;
  const problem = useProblemText(
    label,
    fieldState.error?.message ??
      (isMissing ? `rating.meter_unknown?${new URLSearchParams({ key }).toString()}` : undefined),
  );
  const wanted = search.toLowerCase();
  const candidates = [
    ...usePlannedMeters(form).filter((meter) =>
      [meter.name, meter.key, meter.eventType].some((text) => text.toLowerCase().includes(wanted)),
    ),
    ...(found.data?.items ?? []).map(there),
  ].filter(isFor);
  const options = candidates.map((meter) => ({
    id: meter.key,
    name: meter.name,
    hint: t('catalogue.meter_described', { name: meter.key, described: words(meter) }),
  }));
  const typed = key === '' ? null : { id: key, name: chosen?.name ?? key };
  return (
    <Box sx={{ minWidth: 0 }}>
      <SearchPicker
        label={label}
        required
        value={typed}
        onChange={(next) => field.onChange(next?.id ?? '')}
        onBlur={field.onBlur}
        inputRef={field.ref}
        options={options}
        isLoading={found.isPending}
        none={t('catalogue.meters_none')}
        onType={onType}
        help={chosen ? words(chosen) : t('catalogue.charge_meter_help')}
        problem={problem}
      />
      <Button
        aria-haspopup="dialog"
        size="small"
        startIcon={<AddOutlined />}
        onClick={() => setIsMaking(true)}
        sx={{ marginInlineStart: '-4px' }}
      >
        {t('catalogue.meter_make')}
      </Button>
      {isMaking && (
        <NewMeterDialog
          onClose={() => setIsMaking(false)}
          onMade={(meter) => {
            field.onChange(meter.key);
            setIsMaking(false);
          }}
        />
      )}
    </Box>
  );
}
