// The next messages of a stream, and the events they would become.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { indentedJson } from '#kernel/parse-json.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import type { Preview } from '../contract.ts';
import { useFailureText } from './stream-words.ts';

export function PreviewMessages({ tried }: { tried: Preview | undefined }) {
  const { t } = useTranslation('eventstreams');
  const failureText = useFailureText();
  if (!tried)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('eventstreams.preview_lead')}
      </Typography>
    );
  if (tried.failure)
    return (
      <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
        {failureText(tried.failure)}
      </Alert>
    );
  if (tried.messages.length === 0)
    return (
      <Typography variant="body2" aria-live="polite">
        {t('eventstreams.preview_empty')}
      </Typography>
    );
  return (
    <Stack component="ul" sx={{ gap: 2, margin: 0, padding: 0, listStyle: 'none' }} aria-live="polite">
      {tried.messages.map((message, place) => (
        // The same message may occur twice.
        <Box component="li" key={`${message.position} ${place}`}>
          <Typography
            variant="caption"
            component="div"
            color="textSecondary"
            sx={{ overflowWrap: 'anywhere' }}
          >
            {message.position === message.topic ? message.topic : `${message.topic} · ${message.position}`}
          </Typography>
          {message.problem !== null && (
            <Alert severity="warning" sx={{ marginBlock: 1, overflowWrap: 'anywhere' }}>
              {message.problem}
            </Alert>
          )}
          <Box
            sx={{
              display: 'grid',
              gap: 1,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            <Part title={t('eventstreams.preview_message')} code={indentedJson(message.payload)} />
            {message.events.length > 0 ? (
              <Part
                title={t('eventstreams.preview_result')}
                code={message.events.map(indentedJson).join('\n')}
              />
            ) : (
              message.problem === null && (
                <Typography variant="body2" color="textSecondary" sx={{ alignSelf: 'center' }}>
                  {t('eventstreams.preview_no_event')}
                </Typography>
              )
            )}
          </Box>
        </Box>
      ))}
    </Stack>
  );
}

function Part({ title, code }: { title: string; code: string }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="caption" component="div" color="textSecondary">
        {title}
      </Typography>
      <CodeBlock code={code} label={title} />
    </Box>
  );
}
