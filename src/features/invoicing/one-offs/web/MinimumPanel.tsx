// One minimum spend beside the list: the agreed terms, and what it added to each month's bill.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AmountList } from '#platform/web/ui/AmountList.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { MinimumSpendDetail } from '../contract-minimums.ts';
import { oneOffsQueries } from './api.ts';
import { minimumTones } from './MinimumSpends.tsx';

type PanelProps = { readonly minimumSpendId: string | undefined; readonly onClose: () => void };

export function MinimumPanel({ minimumSpendId, onClose }: PanelProps) {
  const { t } = useTranslation('oneoffs');
  const known = isId('msp', minimumSpendId) ? minimumSpendId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('oneoffs.minimums')} onClose={onClose} width={560}>
      {known !== undefined && <OneMinimum minimumSpendId={known} />}
    </SidePanel>
  );
}

function OneMinimum({ minimumSpendId }: { minimumSpendId: Id<'msp'> }) {
  return (
    <QueryState query={useQuery(oneOffsQueries.getMinimumSpend({ minimumSpendId }))}>
      {(minimum) => <Content minimum={minimum} />}
    </QueryState>
  );
}

function Content({ minimum }: { minimum: MinimumSpendDetail }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const { state, amount, fromMonth, toMonth, added, months } = minimum;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {minimum.organization}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={amount} />
          </Typography>
        </Box>
        {/* used as: 'oneoffs.minimum_state_*' */}
        <StatusBadge tone={minimumTones[state]} label={t(`oneoffs.minimum_state_${state}`)} />
      </Stack>
      <Facts
        items={[
          [t('oneoffs.from_month'), format.month(fromMonth)],
          ...(state === 'cancelled'
            ? []
            : [
                [
                  t('oneoffs.to_month'),
                  toMonth === null ? t('oneoffs.no_end') : format.month(toMonth),
                ] as const,
              ]),
          [t('oneoffs.column_createdAt'), <Moment key="at" at={minimum.createdAt} as="dateTime" />],
          ...(minimum.createdBy === '' ? [] : [[t('oneoffs.minimum_by'), minimum.createdBy] as const]),
          [t('oneoffs.minimum_added'), <Money key="added" amount={added} strong />],
        ]}
      />
      <PanelPart title={t('oneoffs.minimum_months')}>
        <Months months={months} />
      </PanelPart>
    </Stack>
  );
}

function Months({ months }: Pick<MinimumSpendDetail, 'months'>) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  return (
    <AmountList
      none={t('oneoffs.minimum_months_none')}
      entries={months.map(({ month, bill, added, credited }) => ({
        key: bill.id,
        what: (
          <>
            {format.month(month)}
            {' · '}
            <Link component={RouterLink} to={`/admin/billing?bill=${bill.id}`} className="tabular">
              {bill.number}
            </Link>
          </>
        ),
        amount: <Money amount={added} />,
        ...(credited.minor !== 0n && {
          amountNote: t('oneoffs.minimum_credited', { amount: format.money(credited) }),
        }),
      }))}
    />
  );
}
