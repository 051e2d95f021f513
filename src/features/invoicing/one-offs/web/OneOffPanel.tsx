// One one-off beside the list: what is charged, its history, and the possible actions.
import { inLanguage, contentLanguageOf } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Timeline, TimelineStep } from '#platform/web/ui/Timeline.tsx';
import type { OneOffDetail } from '../contract.ts';
import { oneOffsQueries } from './api.ts';
import type { Deciding } from './DecisionDialogs.tsx';
import { OneOffState } from './OneOffState.tsx';

type PanelProps = {
  readonly oneOffId: string | undefined;
  readonly onClose: () => void;
  readonly onDecide: (deciding: Deciding) => void;
};

export function OneOffPanel({ oneOffId, onClose, onDecide }: PanelProps) {
  const { t } = useTranslation('oneoffs');
  const known = isId('ooc', oneOffId) ? oneOffId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('oneoffs.detail')} onClose={onClose} width={560}>
      {known !== undefined && <OneOne oneOffId={known} onDecide={onDecide} />}
    </SidePanel>
  );
}

function OneOne({ oneOffId, onDecide }: { oneOffId: Id<'ooc'>; onDecide: PanelProps['onDecide'] }) {
  return (
    <QueryState query={useQuery(oneOffsQueries.getOneOff({ oneOffId }))}>
      {(oneOff) => <Content oneOff={oneOff} onDecide={onDecide} />}
    </QueryState>
  );
}

function Content({ oneOff, onDecide }: { oneOff: OneOffDetail; onDecide: PanelProps['onDecide'] }) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const isOwn = useAuthStore((auth) => auth.user?.id) === oneOff.createdBy.id;
  const isAwaiting = oneOff.state === 'awaiting_approval';
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {inLanguage(oneOff.name, language)}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={oneOff.amount} />
          </Typography>
        </Box>
        <OneOffState state={oneOff.state} />
      </Stack>
      {isAwaiting && isOwn && <Alert severity="info">{t('oneoffs.own_waits_hint')}</Alert>}
      <PanelFacts oneOff={oneOff} />
      {(isAwaiting || oneOff.state === 'approved') && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {isAwaiting && !isOwn && (
            <>
              <Button
                aria-haspopup="dialog"
                variant="contained"
                onClick={() => onDecide({ step: 'approve', oneOff })}
              >
                {t('oneoffs.approve_charge')}
              </Button>
              <Button
                aria-haspopup="dialog"
                variant="outlined"
                color="error"
                onClick={() => onDecide({ step: 'reject', oneOff })}
              >
                {t('oneoffs.reject_charge')}
              </Button>
            </>
          )}
          <Button
            aria-haspopup="dialog"
            variant="outlined"
            onClick={() => onDecide({ step: 'withdraw', oneOff })}
          >
            {t('oneoffs.withdraw_charge')}
          </Button>
        </Stack>
      )}
      <PanelPart title={t('oneoffs.history')}>
        <History steps={oneOff.history} />
      </PanelPart>
    </Stack>
  );
}

function PanelFacts({ oneOff }: { oneOff: OneOffDetail }) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const format = useFormat();
  const other = contentLanguageOf(language) === 'zhTW' ? 'enUS' : 'zhTW';
  const { kind, billing, name, amount, bill } = oneOff;
  return (
    <Facts
      items={[
        [t('oneoffs.column_organization'), oneOff.organization],
        // used as: 'oneoffs.kind_*'
        [t('oneoffs.column_kind'), t(`oneoffs.kind_${kind}`)],
        [t('oneoffs.other_name'), name[other]],
        ...(oneOff.service === null ? [] : [[t('oneoffs.column_service'), oneOff.service] as const]),
        [
          t('oneoffs.calculation'),
          t('oneoffs.calculated', {
            quantity: format.number(oneOff.quantity),
            price: format.unitPrice(oneOff.unitPrice, amount.currency),
          }),
        ],
        [t('oneoffs.column_chargeOn'), format.dayTable(oneOff.chargeOn)],
        bill === null
          ? // used as: 'oneoffs.billing_*'
            [t('oneoffs.column_billing'), t(`oneoffs.billing_${billing}`)]
          : [
              t('oneoffs.column_billNumber'),
              <Link key="bill" component={RouterLink} to={`/admin/billing?bill=${bill.id}`}>
                {bill.number}
              </Link>,
            ],
        ...(oneOff.note === '' ? [] : [[t('oneoffs.column_note'), oneOff.note] as const]),
      ]}
    />
  );
}

function History({ steps }: { steps: OneOffDetail['history'] }) {
  const { t } = useTranslation('oneoffs');
  return (
    <Timeline>
      {steps.map((step, index) => (
        <TimelineStep key={`${step.step}-${index}`}>
          {/* used as: 'oneoffs.step_*' */}
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {t(`oneoffs.step_${step.step}`, { number: step.billNumber ?? '' })}
          </Typography>
          <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            <Moment at={step.at} as="dateTime" /> · {step.by === '' ? t('oneoffs.by_console') : step.by}
          </Typography>
          {step.reason !== '' && (
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {step.reason}
            </Typography>
          )}
        </TimelineStep>
      ))}
    </Timeline>
  );
}
