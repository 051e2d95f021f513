// One delivery: its attempts with the responses, the sent body, and resending it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { indentedJson } from '#kernel/parse-json.ts';
import type { Attempt, DeliveryDetail, Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { webhooksApi, webhooksKey, webhooksQueries } from './api.ts';
import { stateTones } from './delivery-tones.ts';

const lookMs = 3000;

export function DeliveryPanel({
  endpoint,
  deliveryId,
  onClose,
}: {
  endpoint: Endpoint;
  deliveryId: Id<'whd'>;
  onClose: () => void;
}) {
  const { t } = useTranslation('webhooks');
  const one = { endpointId: endpoint.id, deliveryId };
  const query = useQuery({
    ...webhooksQueries.getDelivery(one),
    refetchInterval: (own) => (own.state.data?.state === 'waiting' ? lookMs : false),
  });
  const replay = useCall(webhooksApi.replayDelivery, {
    invalidates: [webhooksKey()],
    onSuccess: () => toast.success(t('webhooks.replayed')),
    onError: (error) => toast.error(error.message),
  });
  return (
    <SidePanel
      open
      title={query.data ? t('webhooks.delivery', { type: query.data.type }) : t('webhooks.deliveries')}
      onClose={onClose}
      width={600}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.close')}</Button>
          <Button
            variant="contained"
            disabled={!endpoint.isOn}
            loading={replay.isPending}
            onClick={() => replay.mutate(one)}
          >
            {t('webhooks.replay')}
          </Button>
        </>
      }
    >
      {!endpoint.isOn && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
          {t('webhooks.is_off')}
        </Typography>
      )}
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(delivery) => <Detail delivery={delivery} />}
      </QueryState>
    </SidePanel>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const heading = (text: string) => (
    <Typography variant="subtitle2" component="h3" sx={{ marginBottom: 1 }}>
      {text}
    </Typography>
  );
  return (
    <Stack sx={{ gap: 3 }}>
      <Facts
        items={[
          // used as: 'webhooks.state_*'
          [
            t('webhooks.state'),
            <StatusBadge
              key="state"
              tone={stateTones[delivery.state]}
              label={t(`webhooks.state_${delivery.state}`)}
            />,
          ],
          [
            'webhook-id',
            <Box key="id" component="code" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem' }}>
              {delivery.id}
            </Box>,
          ],
          [t('webhooks.created_at'), <Moment key="at" at={delivery.createdAt} as="dateTime" />],
          ...(delivery.nextAttemptAt
            ? [[t('webhooks.next'), <Moment key="next" at={delivery.nextAttemptAt} as="dateTime" />] as const]
            : []),
        ]}
      />
      <Box>
        {heading(t('webhooks.attempts_title', { count: format.number(delivery.attempts) }))}
        {delivery.items.length === 0 && (
          <Typography variant="body2" color="textSecondary">
            {t('webhooks.attempts_none')}
          </Typography>
        )}
        <Stack component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0, gap: 1.5 }}>
          {delivery.items.map((attempt) => (
            <OneAttempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      </Box>
      <Box>
        {heading(t('webhooks.body'))}
        <CodeBlock code={indentedJson(delivery.body)} label={t('webhooks.body_copy')} />
      </Box>
    </Stack>
  );
}

function OneAttempt({ attempt: { number, at, status, failure, detail, ms, answer } }: { attempt: Attempt }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  // used as: 'webhooks.failure_*'
  const failureText =
    failure && `${t(`webhooks.failure_${failure}`)}${detail === '' ? '' : format.aside(detail)}`;
  return (
    <Box
      component="li"
      sx={{
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
        padding: '10px 12px',
        minWidth: 0,
      }}
    >
      <Stack direction="row" sx={{ gap: '4px 12px', flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography variant="body2" component="span" sx={{ fontWeight: 700 }}>
          {t('webhooks.attempt', { number })}
        </Typography>
        <StatusBadge
          tone={failure === null ? 'success' : 'error'}
          label={status === null ? t('webhooks.failure_connection') : t('webhooks.status', { status })}
        />
        <Typography
          variant="caption"
          color="textSecondary"
          className="tabular"
          sx={{ marginInlineStart: 'auto' }}
        >
          {format.dateTimeTable(at)}
          {' · '}
          {t('webhooks.duration', { ms: format.number(ms) })}
        </Typography>
      </Stack>
      {failureText && (
        <Typography variant="body2" sx={{ marginTop: 0.5, overflowWrap: 'anywhere' }}>
          {failureText}
        </Typography>
      )}
      {status !== null &&
        (answer === '' ? (
          <Typography variant="caption" component="p" color="textSecondary" sx={{ marginTop: 0.5 }}>
            {t('webhooks.answer_empty')}
          </Typography>
        ) : (
          <Box
            component="pre"
            tabIndex={0}
            aria-label={`${t('webhooks.attempt', { number })} ${t('webhooks.answer')}`}
            role="region"
            sx={{
              margin: '6px 0 0',
              padding: '8px 10px',
              maxHeight: 160,
              overflow: 'auto',
              bgcolor: 'sunken',
              borderRadius: '5px',
              fontFamily: 'monospace',
              fontSize: '0.8125rem',
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            {answer}
          </Box>
        ))}
    </Box>
  );
}
