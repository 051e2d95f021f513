// The page of a quote's link, for anyone who has the link: the offer, its amounts, and the response.
import DownloadOutlined from '~icons/ic/outline-file-download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useParams } from 'react-router';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useDocumentTitle } from '#platform/web/shell/document-title.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import type { OpenedQuote } from '../contract.ts';
import { quotesApi, quotesQueries } from './api.ts';
import { AnswerSection } from './AnswerSection.tsx';
import { EstimateView, OfferedItems, OfferedTerms } from './OfferView.tsx';

export function OpenQuoteScreen() {
  const { t } = useTranslation('quotes');
  const { token = '' } = useParams();
  const language = useLanguage();
  const query = usePagedQuery({
    ...quotesQueries.openQuote({ token, language }),
    retry: false,
  });
  const { error } = query;
  // An expired or unknown link is a result, not a failure.
  if (error instanceof ApiError && (error.status === 404 || error.status === 410))
    return (
      <FormCard title={t('quotes.cannot_open')}>
        <Alert severity={error.status === 410 ? 'warning' : 'error'}>{error.message}</Alert>
      </FormCard>
    );
  return (
    <Box
      sx={{
        width: '100%',
        maxWidth: 1120,
        marginInline: 'auto',
        padding: { xs: '0 16px 32px', sm: '0 32px 48px' },
      }}
    >
      <QueryState query={query} skeleton={<Lines count={14} />}>
        {(quote) => <Opened quote={quote} token={token} />}
      </QueryState>
    </Box>
  );
}

function Opened({ quote, token }: { quote: OpenedQuote; token: string }) {
  const { t } = useTranslation('quotes');
  const title = t('quotes.open_title', { number: quote.number });
  useDocumentTitle(title);
  return (
    <Parts>
      {/* A shared link must not be found by search engines. */}
      <meta name="robots" content="noindex" />
      <Head quote={quote} token={token} title={title} />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          alignItems: 'start',
          // The response comes last on phones, and beside the estimate if there is room.
          gridTemplateAreas: { xs: '"offer" "estimate" "answer"', md: '"offer estimate" "answer estimate"' },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1.15fr) minmax(0, 1fr)' },
          gridTemplateRows: { md: 'auto 1fr' },
        }}
      >
        <Stack sx={{ gap: { xs: 2, sm: 3 }, minWidth: 0, gridArea: 'offer' }}>
          <Parties quote={quote} />
          {quote.items.length > 0 && (
            <Section title={t('quotes.services')}>
              <OfferedItems items={quote.items} />
            </Section>
          )}
          {quote.terms.length > 0 && (
            <Section title={t('quotes.terms')}>
              <OfferedTerms terms={quote.terms} />
            </Section>
          )}
        </Stack>
        <Box sx={{ minWidth: 0, gridArea: 'estimate' }}>
          <Section title={t('quotes.estimate')}>
            <EstimateView estimate={quote.estimate} />
          </Section>
        </Box>
        <Box sx={{ minWidth: 0, gridArea: 'answer' }}>
          <AnswerSection quote={quote} token={token} />
        </Box>
      </Box>
    </Parts>
  );
}

function Head({ quote, token, title }: { quote: OpenedQuote; token: string; title: string }) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  const language = useLanguage();
  const download = useDownload();
  return (
    <Stack
      component="header"
      direction="row"
      sx={{
        gap: 2,
        justifyContent: 'space-between',
        alignItems: 'flex-end',
        flexWrap: 'wrap',
        paddingTop: 1,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="h1">{title}</Typography>
        <Typography color="textSecondary" sx={{ marginTop: '4px', textWrap: 'balance' }}>
          {quote.state === 'sent'
            ? t('quotes.open_lead', {
                seller: quote.seller.name,
                customer: quote.customer.name,
                day: format.day(quote.validUntil),
              })
            : t('quotes.open_lead_decided', { seller: quote.seller.name, customer: quote.customer.name })}
        </Typography>
      </Box>
      <Button
        variant="outlined"
        startIcon={<DownloadOutlined />}
        data-screen-only
        onClick={() => void download((options) => quotesApi.quoteDocument({ token, language }, options))}
      >
        {t('quotes.download')}
      </Button>
    </Stack>
  );
}

function Parties({ quote }: { quote: OpenedQuote }) {
  const { t } = useTranslation('quotes');
  return (
    <Section>
      {quote.message !== '' && (
        <Typography sx={{ marginBottom: 2.5, overflowWrap: 'anywhere' }}>{quote.message}</Typography>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 2.5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <Party title={t('quotes.customer')} party={quote.customer} />
        <Party title={t('quotes.seller')} party={quote.seller} />
      </Box>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ marginTop: 2 }}>
        {t('quotes.column_sentAt')} <Moment at={quote.sentAt} /> · {t('quotes.column_version')}{' '}
        {quote.version}
      </Typography>
    </Section>
  );
}

function Party({ title, party }: { title: string; party: OpenedQuote['seller'] }) {
  const { t } = useTranslation('quotes');
  const lines = [
    ...(party.taxId === '' ? [] : [t('quotes.tax_id', { taxId: party.taxId })]),
    party.address,
    party.email,
  ].filter((line) => line !== '');
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="caption" color="textSecondary" component="p">
        {title}
      </Typography>
      <Typography sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>{party.name}</Typography>
      {lines.map((line) => (
        <Typography key={line} variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {line}
        </Typography>
      ))}
    </Box>
  );
}
