// The charges of a bill to saved cards, and what happens next: a part of a bill's page, for its customer and
// for Admins.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import type { BillCollection as Collected } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { collectionKey, collectionQueries } from './api.ts';
import { useCardName } from './card-words.ts';

const tones: Record<Collected['attempts'][number]['state'], BadgeTone> = {
  pending: 'primary',
  succeeded: 'success',
  failed: 'error',
};

/** A customer's own bill. */
export function BillCollection({ bill }: { bill: { readonly id: Id<'bil'> } }) {
  const { t } = useTranslation('collection');
  useLive('bills', [collectionKey('billCollection')]);
  const { data } = useQuery(collectionQueries.billCollection({ billId: bill.id }));
  return data && hasNews(data) ? (
    <Section title={t('collection.bill_title')}>
      <Content found={data} />
    </Section>
  ) : null;
}

/** An Admin's view of a bill, with the provider's codes. */
export function AdminBillCollection({ bill }: { bill: { readonly id: Id<'bil'> } }) {
  const { t } = useTranslation('collection');
  useLive('billing', [collectionKey('adminBillCollection')]);
  const { data } = useQuery(collectionQueries.adminBillCollection({ billId: bill.id }));
  return data && hasNews(data) ? (
    <PanelPart title={t('collection.bill_title')}>
      <Content found={data} />
    </PanelPart>
  ) : null;
}

const hasNews = (found: Collected): boolean => found.nextOn !== null || found.attempts.length > 0;

function Content({ found }: { found: Collected }) {
  const { t } = useTranslation('collection');
  const format = useFormat();
  const name = useCardName();
  const [newest] = found.attempts;
  const card = found.card ? name(found.card) : '';
  return (
    <Stack sx={{ gap: 1.5 }}>
      {found.nextOn !== null && (
        <Typography variant="body2">
          {t(newest ? 'collection.bill_next_again' : 'collection.bill_next', {
            date: format.day(found.nextOn),
            card,
          })}
        </Typography>
      )}
      {newest?.state === 'pending' && (
        <Typography variant="body2" role="status">
          {t('collection.bill_under_way', { card: name(newest) })}
        </Typography>
      )}
      {found.stopped !== null && (
        // used as: 'collection.stopped_*'
        <Alert severity="warning">{t(`collection.stopped_${found.stopped}`)}</Alert>
      )}
      {found.attempts.length > 0 && (
        <Stack component="ol" sx={{ listStyle: 'none', padding: 0, margin: 0, gap: 1.5 }}>
          {found.attempts.map((attempt) => (
            <Box
              component="li"
              key={attempt.number}
              sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 16px', justifyContent: 'space-between' }}
            >
              <Box sx={{ minWidth: 0 }}>
                <Typography variant="body2">
                  {t('collection.attempt', { number: format.number(attempt.number), card: name(attempt) })}
                </Typography>
                <Typography variant="caption" component="p" color="textSecondary">
                  <Moment at={attempt.at} as="dateTime" />
                  {/* used as: 'collection.reason_*' */}
                  {attempt.reason !== null && ` · ${t(`collection.reason_${attempt.reason}`)}`}
                  {attempt.code !== '' && ` (${attempt.code})`}
                </Typography>
              </Box>
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center' }}>
                <Money amount={attempt.amount} />
                {/* used as: 'collection.attempt_*' */}
                <StatusBadge tone={tones[attempt.state]} label={t(`collection.attempt_${attempt.state}`)} />
              </Stack>
            </Box>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
