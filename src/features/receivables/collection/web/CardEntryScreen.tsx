// The page on which a card is entered with ECPay: its script renders the fields and sends the number to
// ECPay. Only this page may load the script, so users arrive and leave with full page loads: neither the
// script nor the permission to load it carries over to another page.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { leaveFor } from '#platform/web/session/embedded.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { CardEntry } from '../contract.ts';
import { collectionApi, collectionQueries } from './api.ts';
import { drawCardFields, takeCard } from './ecpay-script.ts';

const cardsPath = '/billing/management';

export function CardEntryScreen() {
  const { t } = useTranslation('collection');
  const [setupId] = useParam('setup');
  return (
    <Page title={t('collection.entry_title')} lead={t('collection.entry_lead')} width="form">
      <Section title={t('collection.add_title')}>
        {isId('cst', setupId) ? <Entry setupId={setupId} /> : <Over />}
      </Section>
    </Page>
  );
}

function Entry({ setupId }: { setupId: Id<'cst'> }) {
  const query = useQuery({
    ...collectionQueries.cardEntry({ setupId }),
    // The fields are rendered once; another request would render them again while the user is typing.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {(entry) => (entry.state === 'over' ? <Over /> : <Fields setupId={setupId} entry={entry} />)}
    </QueryState>
  );
}

function Over() {
  const { t } = useTranslation('collection');
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Typography variant="body2">{t('collection.entry_over')}</Typography>
      <Back />
    </Box>
  );
}

function Back() {
  const { t } = useTranslation('collection');
  return (
    <Button variant="outlined" href={cardsPath}>
      {t('collection.entry_back')}
    </Button>
  );
}

type Trouble = 'entry_failed' | 'entry_unread';

function Fields({ setupId, entry }: { setupId: Id<'cst'>; entry: CardEntry }) {
  const { t } = useTranslation('collection');
  const language = useLanguage();
  const [isDrawn, setDrawn] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [isTaking, setTaking] = useState(false);
  const enter = useCall(collectionApi.enterCard, { onSuccess: ({ url }) => leaveFor(url) });
  useEffect(() => {
    let isGone = false;
    drawCardFields(entry, language).then(
      () => !isGone && setDrawn(true),
      () => !isGone && setTrouble('entry_failed'),
    );
    return () => {
      isGone = true;
    };
  }, [entry, language]);
  const save = async (): Promise<void> => {
    setTrouble(undefined);
    setTaking(true);
    try {
      enter.mutate({ setupId, payToken: await takeCard() });
    } catch {
      // ECPay's fields report their own errors; its overall message is not meant for users.
      setTrouble('entry_unread');
    } finally {
      setTaking(false);
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {entry.isTrial && <Alert severity="warning">{t('collection.entry_trial')}</Alert>}
      {/* ECPay's script renders into the element with this id. */}
      <Box id="ECPayPayment" sx={{ minHeight: 120 }} aria-busy={!isDrawn && trouble === undefined} />
      {/* used as: 'collection.entry_failed', 'collection.entry_unread' */}
      {trouble && <Alert severity="error">{t(`collection.${trouble}`)}</Alert>}
      {enter.isError && <Alert severity="error">{enter.error.message}</Alert>}
      <Typography variant="caption" color="textSecondary">
        {t('collection.entry_verified')}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant="contained"
          disabled={!isDrawn}
          loading={isTaking || enter.isPending || enter.isSuccess}
          onClick={() => void save()}
        >
          {t('collection.entry_save')}
        </Button>
        <Back />
      </Box>
    </Box>
  );
}
