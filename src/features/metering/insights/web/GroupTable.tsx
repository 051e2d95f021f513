// Every group of an explored range; a click opens the events behind it.
import Button from '@mui/material/Button';
import { decimal, divide } from '#kernel/decimal.ts';
import type { Explored, ExploredSeries } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Quantity } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Change, Cost } from './cost-change.tsx';
import { FigureTable, type FigureRow } from './FigureTable.tsx';
import { useGroupName } from './group-name.ts';

export type GroupTableProps = {
  readonly explored: Explored;
  readonly onOpen: (series: ExploredSeries) => void;
};

export function GroupTable({ explored, onOpen }: GroupTableProps) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const nameOf = useGroupName();
  const { series, totals, previous } = explored;
  const share = ({ cost, currency }: ExploredSeries): string => {
    const whole = decimal(totals.find((each) => each.currency === currency)?.cost ?? '0');
    return cost === null || whole.eq('0')
      ? '–'
      : format.percent(Number(divide(decimal(cost), whole, 4).toFixed()));
  };
  const heads = [
    t('insights.group'),
    t('insights.quantity'),
    t('insights.cost'),
    t('insights.share'),
    ...(previous ? [t('insights.previous'), t('insights.change')] : []),
  ];
  const rows = series.map((each): FigureRow => ({
    key: `${each.key} ${each.currency}`,
    cells: [
      <Button
        key="name"
        variant="text"
        size="small"
        aria-haspopup="dialog"
        onClick={() => onOpen(each)}
        sx={{
          marginInlineStart: '-10px',
          textAlign: 'start',
          whiteSpace: 'normal',
          justifyContent: 'flex-start',
          overflowWrap: 'anywhere',
        }}
      >
        {nameOf(each)}
      </Button>,
      each.quantity === null ? '–' : <Quantity isBrief value={each.quantity} unit={each.unit ?? ''} />,
      <Cost key="cost" cost={each.cost} currency={each.currency} />,
      share(each),
      ...(previous
        ? [
            <Cost key="previous" cost={each.previousCost} currency={each.currency} />,
            <Change key="change" now={each.cost} before={each.previousCost} />,
          ]
        : []),
    ],
  }));
  const isShared = series.some((each) => each.costs === null || each.special === 'unshared');
  return (
    <Section
      title={t('insights.groups')}
      lead={format.sentences(t('insights.groups_lead'), isShared && t('insights.not_shared'))}
      flush
    >
      <FigureTable label={t('insights.groups')} heads={heads} rows={rows} />
    </Section>
  );
}
