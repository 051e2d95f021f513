// Sends a test through one channel and waits for its result: the duration, or why it failed.
import SendOutlined from '~icons/ic/outline-send';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { ChannelProblem, notifications, testChannels, TestResult } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { LetterFrame } from '#platform/web/ui/LetterFrame.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { notificationsApi, notificationsQueries } from './api.ts';

const askEveryMs = 1000;

export function ChannelTest({
  channel,
  refused,
}: {
  channel: (typeof testChannels)[number];
  refused: ChannelProblem | null;
}) {
  const { t } = useTranslation('notifications');
  const [sent, setSent] = useState<Out<typeof notifications.sendTest>>();
  const send = useCall(notificationsApi.sendTest, { onSuccess: setSent });
  // used as: 'notifications.channel_*'
  const name = t(`notifications.channel_${channel}`);
  return (
    <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<SendOutlined />}
        loading={send.isPending}
        loadingPosition="start"
        disabled={refused !== null}
        aria-label={t('notifications.test_named', { channel: name })}
        onClick={() => send.mutate({ channel })}
      >
        {t('notifications.test')}
      </Button>
      {send.error && (
        <Alert severity="error" sx={{ width: '100%' }}>
          {send.error.message}
        </Alert>
      )}
      {sent && !send.error && <Outcome key={sent.testId} sent={sent} />}
    </Stack>
  );
}

function Outcome({ sent }: { sent: Out<typeof notifications.sendTest> }) {
  const { t } = useTranslation('notifications');
  const [isShown, setIsShown] = useState(false);
  const query = useQuery({
    ...notificationsQueries.getTest({ testId: sent.testId }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'waiting' || state.data.state === 'retrying'
        ? askEveryMs
        : false,
  });
  return (
    <Stack role="status" sx={{ gap: 1, width: '100%' }}>
      {query.error ? (
        <Alert severity="error">{query.error.message}</Alert>
      ) : (
        <Verdict result={query.data} to={sent.to} />
      )}
      {sent.letter ? (
        <Button
          size="small"
          onClick={() => setIsShown(!isShown)}
          aria-expanded={isShown}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t(isShown ? 'notifications.letter_hide' : 'notifications.letter_show')}
        </Button>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t('notifications.test_said', { message: sent.message })}
        </Typography>
      )}
      {sent.letter && isShown && <LetterFrame title={sent.letter.subject} html={sent.letter.html} />}
    </Stack>
  );
}

const tones = { waiting: 'info', sent: 'success', retrying: 'warning', failed: 'error' } as const;

function Verdict({ result, to }: { result: TestResult | undefined; to: string | null }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const state = result?.state ?? 'waiting';
  const params = {
    to: to ?? '',
    ms: format.number(result?.tookMs ?? 0),
    reason: result?.reason ?? '',
    at: result?.nextAt ? format.dateTime(result.nextAt) : '',
  };
  // used as: 'notifications.test_*'
  return (
    <Alert severity={tones[state]} sx={{ overflowWrap: 'anywhere' }}>
      {t(
        to === null && state === 'sent' ? 'notifications.test_shown' : `notifications.test_${state}`,
        params,
      )}
    </Alert>
  );
}
