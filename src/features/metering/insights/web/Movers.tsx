// The largest changes since the previous period.
import type { Explored } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { costMoney } from '#features/metering/usage/web/parts.ts';
import { Change, Cost } from './cost-change.tsx';
import { FigureTable } from './FigureTable.tsx';
import { useGroupName } from './group-name.ts';

export function Movers({ explored: { movers, previous } }: { explored: Explored }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const nameOf = useGroupName();
  return (
    <Section
      title={t('insights.movers')}
      lead={previous ? t('insights.movers_lead', { range: format.range(previous.from, previous.to) }) : ''}
      flush
    >
      {movers.length === 0 ? (
        <EmptyState compact title={t('insights.nothing_moved')} />
      ) : (
        <FigureTable
          label={t('insights.movers')}
          heads={[
            t('insights.group'),
            t('insights.previous'),
            t('insights.cost'),
            t('insights.difference'),
            t('insights.change'),
          ]}
          rows={movers.map((each) => ({
            key: `${each.key} ${each.currency}`,
            cells: [
              nameOf(each),
              <Cost key="before" cost={each.before} currency={each.currency} />,
              <Cost key="after" cost={each.after} currency={each.currency} />,
              format.moneyChange(costMoney(each.change, each.currency)),
              <Change key="change" now={each.after} before={each.before} />,
            ],
          }))}
        />
      )}
    </Section>
  );
}
