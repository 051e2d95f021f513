// One credit grant beside the list: its terms, its movements, and a button to withdraw it.
import { inLanguage, contentLanguageOf } from '#kernel/language.ts';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { CreditGrantDetail } from '../contract.ts';
import { creditgrantsQueries } from './api.ts';
import { stateTones, useGrantWords } from './grant-words.ts';
import { MovementList } from './MovementList.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';

export function GrantPanel({ open, onClose }: { open: string | undefined; onClose: () => void }) {
  return isId('cgr', open) ? <Opened key={open} grantId={open} onClose={onClose} /> : null;
}

function Opened({ grantId, onClose }: { grantId: Id<'cgr'>; onClose: () => void }) {
  const { t } = useTranslation('creditgrants');
  const { language } = useFormat();
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const query = useQuery(creditgrantsQueries.adminGetGrant({ grantId }));
  const grant = query.data;
  const canWithdraw = grant?.state === 'active' || grant?.state === 'upcoming';
  return (
    <SidePanel
      open
      title={inLanguage(grant?.name, language) ?? t('creditgrants.grant')}
      width={560}
      onClose={onClose}
      footer={
        canWithdraw && (
          <Button
            color="error"
            aria-haspopup="dialog"
            onClick={() => setIsWithdrawing(true)}
            sx={{ marginInlineEnd: 'auto' }}
          >
            {t('creditgrants.withdraw')}
          </Button>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(found) => <Details grant={found} />}
      </QueryState>
      {grant && isWithdrawing && <WithdrawDialog grant={grant} onClose={() => setIsWithdrawing(false)} />}
    </SidePanel>
  );
}

function Details({ grant }: { grant: CreditGrantDetail }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const words = useGrantWords();
  const recurring = words.recurring(grant);
  const otherName = grant.name[contentLanguageOf(format.language) === 'zhTW' ? 'enUS' : 'zhTW'];
  // used as: 'creditgrants.kind_*', 'creditgrants.origin_*', 'creditgrants.state_*'
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0, containerType: 'inline-size', flex: 1 }}>
          <Typography variant="body2" component="p" color="textSecondary">
            {t(
              grant.recurring && !grant.recurring.rollover
                ? 'creditgrants.left_this_month'
                : 'creditgrants.column_left',
            )}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={grant.left} />
          </Typography>
        </Box>
        <StatusBadge tone={stateTones[grant.state]} label={t(`creditgrants.state_${grant.state}`)} />
      </Stack>
      <Facts
        items={[
          [
            t('creditgrants.column_organization'),
            <Link
              key="organization"
              component={RouterLink}
              to={`/admin/organizations?organization=${grant.organizationId}`}
            >
              {grant.organization}
            </Link>,
          ],
          [
            t('creditgrants.column_kind'),
            `${t(`creditgrants.kind_${grant.kind}`)} · ${t(`creditgrants.origin_${grant.origin}`)}`,
          ],
          [t('creditgrants.column_amount'), recurring ?? <Money key="amount" amount={grant.amount} />],
          [t('creditgrants.column_used'), <Money key="used" amount={grant.used} />],
          [t('creditgrants.column_scope'), words.scope(grant.scope)],
          [t('creditgrants.period'), words.period(grant)],
          [t('creditgrants.column_priority'), String(grant.priority)],
          [t(`creditgrants.other_name`), otherName],
          [
            t('creditgrants.column_created_at'),
            <>
              <Moment at={grant.createdAt} as="dateTime" />
              {grant.createdBy !== '' && ` · ${grant.createdBy}`}
            </>,
          ],
          ...(grant.note === '' ? [] : [[t('creditgrants.column_note'), grant.note] as const]),
          ...(grant.withdrawnAt
            ? [
                [
                  t('creditgrants.withdrawn_at'),
                  <>
                    <Moment at={grant.withdrawnAt} as="dateTime" />
                    {` · ${grant.withdrawnBy ?? ''}`}
                  </>,
                ] as const,
                [t('creditgrants.reason'), grant.withdrawalReason ?? ''] as const,
              ]
            : []),
        ]}
      />
      <PanelPart title={t('creditgrants.movements')}>
        <MovementList movements={grant.movements} />
      </PanelPart>
    </Stack>
  );
}
