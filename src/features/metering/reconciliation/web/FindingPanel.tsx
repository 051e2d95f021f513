// One finding: what it is, its amount, and the possible actions.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { indentedJson } from '#kernel/parse-json.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Finding } from '../contract.ts';
import { reconciliationApi, reconciliationKey, reconciliationQueries } from './api.ts';
import { kindTones, nameOf } from './finding-words.tsx';
import { IgnoreDialog } from './IgnoreDialog.tsx';
import { SubscribeDialog } from './SubscribeDialog.tsx';

export function FindingPanel({ open, onClose }: { open: string; onClose: () => void }) {
  return isId('rcf', open) ? <Opened findingId={open} onClose={onClose} /> : null;
}

function Opened({ findingId, onClose }: { findingId: Id<'rcf'>; onClose: () => void }) {
  const { t } = useTranslation('reconciliation');
  const [doing, setDoing] = useState<'subscribe' | 'ignore' | 'end'>();
  const query = useQuery(reconciliationQueries.getFinding({ findingId }));
  const invalidates = [reconciliationKey()];
  const end = useCall(reconciliationApi.endFinding, { invalidates });
  const heed = useCall(reconciliationApi.heedFinding, {
    invalidates,
    onSuccess: () => toast.success(t('reconciliation.heeded', { name })),
  });
  const finding = query.data;
  const name = finding ? nameOf(finding) : '';
  const stop = () => setDoing(undefined);
  return (
    <SidePanel
      open
      title={finding ? name : t('reconciliation.resource')}
      width={560}
      onClose={onClose}
      footer={
        finding && (
          <>
            {finding.ignored ? (
              <Button loading={heed.isPending} onClick={() => heed.mutate({ findingId })}>
                {t('reconciliation.heed')}
              </Button>
            ) : (
              <Button aria-haspopup="dialog" onClick={() => setDoing('ignore')}>
                {t('reconciliation.ignore')}
              </Button>
            )}
            {finding.kind === 'ghost' ? (
              <Button
                aria-haspopup="dialog"
                variant="contained"
                color="error"
                disabled={!finding.subscription}
                onClick={() => setDoing('end')}
              >
                {t('reconciliation.end')}
              </Button>
            ) : (
              <Button aria-haspopup="dialog" variant="contained" onClick={() => setDoing('subscribe')}>
                {t('reconciliation.subscribe')}
              </Button>
            )}
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={8} />}>
        {(found) => <Details finding={found} />}
      </QueryState>
      {finding && doing === 'subscribe' && (
        <SubscribeDialog finding={finding} onClose={stop} onDone={onClose} />
      )}
      {finding && doing === 'ignore' && <IgnoreDialog finding={finding} onClose={stop} onDone={onClose} />}
      {finding?.subscription && (
        <ConfirmDialog
          open={doing === 'end'}
          title={t('reconciliation.end_ask', { name })}
          consequences={[
            t('reconciliation.end_whole', {
              service: finding.subscription.name,
              organization: finding.subscription.organization,
            }),
            t('reconciliation.end_now'),
          ]}
          confirmLabel={t('reconciliation.end')}
          tone="danger"
          onConfirm={async () => {
            await end.mutateAsync({ findingId, when: 'now' });
            toast.success(t('reconciliation.ended', { name }));
            onClose();
          }}
          onClose={stop}
        />
      )}
    </SidePanel>
  );
}

function Details({ finding }: { finding: Finding }) {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  const { kind, cause, ignored, subscription, owner, amount } = finding;
  const fact = (label: string, value: string) => (value === '' ? [] : [[label, value] as const]);
  return (
    <Stack sx={{ gap: 3 }}>
      {ignored && (
        <Alert severity="info">
          {t('reconciliation.ignored_by', { who: ignored.by, time: format.dateTime(ignored.at) })}
          <br />
          {ignored.reason}
        </Alert>
      )}
      {/* used as: 'reconciliation.kind_*', 'reconciliation.cause_*', 'reconciliation.amount_*', 'reconciliation.item_*' */}
      <Facts
        items={[
          [
            t('reconciliation.kind'),
            <Stack key="kind" direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
              <StatusBadge tone={kindTones[kind]} label={t(`reconciliation.kind_${kind}`)} />
              <span>{t(`reconciliation.cause_${cause}`)}</span>
            </Stack>,
          ],
          [
            t(`reconciliation.amount_${kind}`),
            amount ? (
              <Money key="amount" amount={amount} strong />
            ) : (
              t(finding.service ? 'reconciliation.no_quantity' : 'reconciliation.no_price')
            ),
          ],
          ...(finding.service && amount
            ? [['', t('reconciliation.priced_by', { service: finding.service.name })] as const]
            : []),
          ...fact(
            t('reconciliation.subscription'),
            subscription ? `${subscription.organization} · ${subscription.name}` : '',
          ),
          ...fact(t('reconciliation.owner'), owner ? `${owner.organization} · ${owner.name}` : ''),
          [t('reconciliation.resource'), finding.resource],
          [t('reconciliation.item_kind'), t(`reconciliation.item_${finding.itemKind}`)],
          ...fact(t('reconciliation.project'), finding.project),
          ...fact(t('reconciliation.size'), finding.size),
          ...fact(t('reconciliation.billed_size'), finding.billedSize),
          ...fact(t('reconciliation.item_state'), finding.itemState),
          ...(finding.since
            ? [[t('reconciliation.since'), <Moment key="since" at={finding.since} as="dateTime" />] as const]
            : []),
          [t('reconciliation.first_found'), <Moment key="first" at={finding.firstFoundAt} as="dateTime" />],
          [t('reconciliation.connector'), finding.connector.name],
        ]}
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          component={Link}
          to={`/admin/connectors?connector=${finding.connector.id}`}
          variant="outlined"
          size="small"
        >
          {t('reconciliation.open_connector')}
        </Button>
        {subscription && (
          <Button
            component={Link}
            to={`/admin/organizations?organization=${subscription.organizationId}`}
            variant="outlined"
            size="small"
          >
            {t('reconciliation.open_organization')}
          </Button>
        )}
      </Stack>
      <div>
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
          {t('reconciliation.what_source_says')}
        </Typography>
        <CodeBlock code={indentedJson(finding.fields)} label={t('ui.copy')} />
      </div>
    </Stack>
  );
}
