// The two months of a period in the user's language: 115年11-12月, Nov 2026 – Dec 2026.
import { conventionsOf } from '#kernel/language.ts';
import { isMonth } from '#kernel/shape.ts';
import { periodWords } from '../rules.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function usePeriodName(): (period: string) => string {
  const format = useFormat();
  return (period) => {
    const second = `${period.slice(0, 5)}${String(Number(period.slice(5)) + 1).padStart(2, '0')}`;
    return conventionsOf(format.language) === 'zhTW' || !isMonth(period) || !isMonth(second)
      ? periodWords(period)
      : `${format.month(period)} – ${format.month(second)}`;
  };
}
