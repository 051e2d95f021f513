// The days of a report, in the URL; by default this year so far.
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Days, useDayParam } from '#platform/web/ui/Day.tsx';

export function usePeriod() {
  const { t } = useTranslation('metrics');
  const zone = useBrand((brand) => brand.timeZone);
  const today = dayOf(useNow(), zone);
  const first = `${today.slice(0, 4)}-01-01`;
  const [chosenFrom, setFrom] = useDayParam('from');
  const [chosenTo, setTo] = useDayParam('to');
  const from: LocalDay = chosenFrom ?? (isDay(first) ? first : today);
  const to = chosenTo ?? today;
  return {
    period: { from, to },
    choice: (
      <Days
        from={{ label: t('metrics.from'), value: from, onChange: setFrom }}
        to={{ label: t('metrics.to'), value: to, onChange: setTo }}
      />
    ),
  };
}
