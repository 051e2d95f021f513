// Development only: the inbox for e-mails without an SMTP server, each as it would have been sent.
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import { instant } from '#kernel/shape.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { connect, useCall } from '#platform/web/api/queries.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { LetterFrame } from '#platform/web/ui/LetterFrame.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

const Letter = z.strictObject({
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  messageId: z.string(),
  at: instant,
});
// Not in any feature's contract, because a production server does not have this route.
const debug = connect(
  'debug',
  contract({
    letters: route({
      method: 'GET',
      path: '/debug/mail',
      access: 'public',
      summary: '',
      input: noInput,
      output: z.strictObject({ letters: z.array(Letter) }),
    }),
    clear: route({
      method: 'DELETE',
      path: '/debug/mail',
      access: 'public',
      summary: '',
      input: noInput,
      output: nothing,
    }),
  }),
  consoleApi,
);
const lookEveryMs = 2000;

export function MailDebug() {
  const { t: app } = useTranslation('app');
  const { t } = useTranslation('console');
  const format = useFormat();
  const [open, setOpen] = useState<string>();
  const query = useQuery({ ...debug.queries.letters(), staleTime: 0, refetchInterval: lookEveryMs });
  const clear = useCall(debug.client.clear, { invalidates: [debug.keyOf()] });
  return (
    <Page
      title={t('mail_debug.title')}
      lead={t('mail_debug.lead')}
      width="list"
      aside={<StatusBadge tone="alarm" label={app('debug.ribbon')} />}
      actions={
        <Button variant="outlined" onClick={() => clear.mutate({})}>
          {t('mail_debug.clear')}
        </Button>
      }
    >
      <QueryState query={query}>
        {({ letters }) => {
          const letter = letters.find((one) => one.messageId === open) ?? letters[0];
          if (!letter) return <EmptyState title={t('mail_debug.none')} />;
          return (
            <>
              <Section title={t('mail_debug.letters')} flush>
                <List
                  dense
                  component="nav"
                  aria-label={t('mail_debug.letters')}
                  sx={{ maxHeight: 260, overflow: 'auto' }}
                >
                  {letters.map((one) => (
                    <ListItemButton
                      aria-haspopup="dialog"
                      key={one.messageId}
                      selected={one === letter}
                      onClick={() => setOpen(one.messageId)}
                    >
                      <ListItemText
                        primary={one.subject}
                        secondary={`${one.to} · ${format.dateTimeTable(one.at)}`}
                      />
                    </ListItemButton>
                  ))}
                </List>
              </Section>
              <LetterFrame title={letter.subject} html={letter.html} />
              <CodeBlock code={letter.text} label={letter.subject} />
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}
