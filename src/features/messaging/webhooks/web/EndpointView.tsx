// One endpoint: its state and its deliveries, page by page.
import ArrowBackOutlined from '~icons/ic/outline-arrow-back';
import ReplayOutlined from '~icons/ic/outline-replay';
import SendOutlined from '~icons/ic/outline-send';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { webhooksApi, webhooksKey, webhooksQueries } from './api.ts';
import { Deliveries } from './Deliveries.tsx';
import { useEndpointActions } from './endpoint-actions.tsx';
import { EndpointState } from './EndpointState.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';

/** The polling interval while deliveries are waiting. */
const lookMs = 3000;

export function EndpointView({ endpointId, onBack }: { endpointId: Id<'whe'>; onBack: () => void }) {
  const { t } = useTranslation('webhooks');
  const query = useQuery({
    ...webhooksQueries.getEndpoint({ endpointId }),
    refetchInterval: (own) => ((own.state.data?.waiting ?? 0) > 0 ? lookMs : false),
  });
  return (
    <>
      <Box>
        <Button startIcon={<ArrowBackOutlined />} onClick={onBack}>
          {t('webhooks.back')}
        </Button>
      </Box>
      <QueryState query={query} skeleton={<Lines count={6} />}>
        {(endpoint) => (
          <>
            <Head endpoint={endpoint} onDeleted={onBack} />
            <Deliveries endpoint={endpoint} />
          </>
        )}
      </QueryState>
    </>
  );
}

function Head({ endpoint, onDeleted }: { endpoint: Endpoint; onDeleted: () => void }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const [isReplaying, setReplaying] = useState(false);
  const { actions, opened } = useEndpointActions(onDeleted);
  const test = useCall(webhooksApi.sendTest, {
    invalidates: [webhooksKey()],
    onSuccess: () => toast.success(t('webhooks.tested')),
    onError: (error) => toast.error(error.message),
  });
  const { eventTypes, previousUntil, lastDeliveredAt, url, description, secretHint, parked } = endpoint;
  return (
    <Section
      title={description === '' ? new URL(url).host : description}
      actions={
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          {parked > 0 && endpoint.isOn && (
            <Button startIcon={<ReplayOutlined />} aria-haspopup="dialog" onClick={() => setReplaying(true)}>
              {t('webhooks.replay_failed')}
            </Button>
          )}
          <Button
            variant="outlined"
            startIcon={<SendOutlined />}
            disabled={!endpoint.isOn}
            loading={test.isPending}
            onClick={() => test.mutate({ endpointId: endpoint.id })}
          >
            {t('webhooks.test')}
          </Button>
          {/* The test has a separate button. */}
          <RowMenu name={url} actions={actions(endpoint).slice(1)} />
        </Stack>
      }
    >
      {!endpoint.isOn && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
          {t('webhooks.is_off')}
        </Typography>
      )}
      <Facts
        items={[
          [t('webhooks.url'), url],
          [t('webhooks.state'), <EndpointState key="state" endpoint={endpoint} />],
          [
            t('webhooks.events'),
            eventTypes === null ? (
              t('webhooks.events_all')
            ) : (
              <Box key="types" component="span" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem' }}>
                {eventTypes.join(' ')}
              </Box>
            ),
          ],
          [
            t('webhooks.secret'),
            <>
              <Box key="hint" component="code" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem' }}>
                {secretHint}
              </Box>
              {previousUntil && ` · ${t('webhooks.overlapping', { until: format.dateTime(previousUntil) })}`}
            </>,
          ],
          [
            t('webhooks.last_delivered'),
            lastDeliveredAt ? <Moment key="last" at={lastDeliveredAt} as="dateTime" /> : t('webhooks.never'),
          ],
        ]}
      />
      {opened}
      {isReplaying && <ReplayDialog endpointId={endpoint.id} onClose={() => setReplaying(false)} />}
    </Section>
  );
}
