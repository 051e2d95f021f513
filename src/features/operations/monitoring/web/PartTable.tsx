// A part of the monitoring page with several members, those that need attention first. On phones and in long
// lists, only those are shown until the part is unfolded; a sentence counts all of them.
import { verdicts, type Verdict } from '../contract.ts';
import { mostUrgentFirst, needsAttention, worst } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { useFold } from './use-fold.tsx';

/** More rows than this are folded on wide screens, too. */
const mostRows = 20;

export function PartTable<Row extends { readonly verdict: Verdict }>({
  rows,
  lead,
  ...table
}: {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly RowAction[];
}) {
  const { t } = useTranslation('monitoring');
  const verdictsHere = rows.map(({ verdict }) => verdict);
  // What needs attention is shown also while the rest is folded.
  const { isOpen, actions } = useFold({
    title: table.title,
    verdict: worst(...verdictsHere),
    isOpenAtFirst: false,
    isLong: rows.length > mostRows,
  });
  // used as: 'monitoring.count_*'
  const counts = verdicts.flatMap((verdict) => {
    const count = verdictsHere.filter((each) => each === verdict).length;
    return count === 0 ? [] : [t(`monitoring.count_${verdict}`, { count })];
  });
  return (
    <FullTable
      {...table}
      lead={isOpen ? lead : counts.join(' · ')}
      actions={actions}
      rows={mostUrgentFirst(isOpen ? rows : rows.filter(({ verdict }) => needsAttention(verdict)))}
    />
  );
}
