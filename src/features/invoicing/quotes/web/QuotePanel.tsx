// One quote beside the list: its state, its link, its versions, and what was created from it.
import { inLanguage } from '#kernel/language.ts';
import DownloadOutlined from '~icons/ic/outline-file-download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { QuoteDetail, QuoteVersion } from '../contract.ts';
import { quotesApi, quotesQueries } from './api.ts';
import { EstimateView, OfferedItems, OfferedTerms } from './OfferView.tsx';
import { DiscardDialog, SendDialog, WithdrawDialog } from './QuoteDialogs.tsx';
import { pathOfMade, stateTones } from './quote-words.ts';

type PanelProps = { readonly onClose: () => void; readonly onEdit: (id: string) => void };

export function QuotePanel({ open, ...rest }: PanelProps & { open: string | undefined }) {
  return isId('qot', open) ? <Opened key={open} quoteId={open} {...rest} /> : null;
}

type Asking = 'send' | 'withdraw' | 'discard';

function Opened({ quoteId, onClose, onEdit }: PanelProps & { quoteId: Id<'qot'> }) {
  const { t } = useTranslation('quotes');
  const [asking, setAsking] = useState<Asking>();
  const query = useQuery(quotesQueries.getQuote({ quoteId }));
  const quote = query.data;
  const isOpen = quote && ['draft', 'sent', 'expired'].includes(quote.state);
  const stop = () => setAsking(undefined);
  return (
    <SidePanel
      open
      title={quote?.number ?? t('quotes.quote')}
      width={640}
      onClose={onClose}
      footer={
        isOpen && (
          <>
            <Stack direction="row" sx={{ gap: 1, marginInlineEnd: 'auto' }}>
              {quote.sentVersion !== null && (
                <Button color="error" aria-haspopup="dialog" onClick={() => setAsking('withdraw')}>
                  {t('quotes.withdraw')}
                </Button>
              )}
              {quote.hasDraft && (
                <Button color="error" aria-haspopup="dialog" onClick={() => setAsking('discard')}>
                  {t('quotes.discard')}
                </Button>
              )}
            </Stack>
            <Button onClick={() => onEdit(quote.id)}>{t('quotes.edit')}</Button>
            {quote.hasDraft && (
              <Button variant="contained" aria-haspopup="dialog" onClick={() => setAsking('send')}>
                {t('quotes.send')}
              </Button>
            )}
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={12} />}>
        {(found) => <Details quote={found} />}
      </QueryState>
      {quote && asking === 'send' && <SendDialog quote={quote} onClose={stop} />}
      {quote && asking === 'withdraw' && <WithdrawDialog quote={quote} onClose={stop} />}
      {quote && asking === 'discard' && (
        <DiscardDialog quote={quote} onClose={stop} onGone={quote.sentVersion === null ? onClose : stop} />
      )}
    </SidePanel>
  );
}

function Details({ quote }: { quote: QuoteDetail }) {
  const { t } = useTranslation('quotes');
  const [chosen, setChosen] = useState<string>();
  const version = quote.versions.find((each) => String(each.version) === chosen) ?? quote.versions[0];
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0, containerType: 'inline-size', flex: 1 }}>
          <Typography variant="body2" component="p" color="textSecondary">
            {t('quotes.contract_value', { count: version?.estimate.months ?? 1 })}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={quote.total} />
          </Typography>
        </Box>
        <StatusBadge tone={stateTones[quote.state]} label={t(`quotes.state_${quote.state}`)} />
      </Stack>
      {quote.link !== null && <LinkBox link={quote.link} />}
      {quote.state === 'expired' && <Alert severity="warning">{t('quotes.expired_hint')}</Alert>}
      {quote.hasDraft && quote.sentVersion !== null && (
        <Alert severity="info">
          {t('quotes.draft_hint', { version: quote.version, sent: quote.sentVersion })}
        </Alert>
      )}
      <QuoteFacts quote={quote} />
      {quote.made.length > 0 && <Became quote={quote} />}
      {version && <Version quote={quote} version={version} onChoose={setChosen} />}
    </Stack>
  );
}

function LinkBox({ link }: { link: string }) {
  const { t } = useTranslation('quotes');
  return (
    <Box sx={{ bgcolor: 'sunken', borderRadius: '5px', padding: '12px' }}>
      <Typography variant="subtitle2" component="h3">
        {t('quotes.link')}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <Link
          href={link}
          target="_blank"
          rel="noreferrer"
          variant="body2"
          sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0, flex: 1 }}
        >
          {link}
        </Link>
        <CopyButton text={link} label={t('quotes.copy_link')} />
      </Stack>
      <Typography variant="caption" color="textSecondary" component="p">
        {t('quotes.link_hint')}
      </Typography>
    </Box>
  );
}

function QuoteFacts({ quote }: { quote: QuoteDetail }) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  const { decision, withdrawn } = quote;
  const reason = decision?.reason ?? withdrawn?.reason ?? '';
  return (
    <Facts
      items={[
        [
          t('quotes.column_organization'),
          <Link
            key="organization"
            component={RouterLink}
            to={`/admin/organizations?organization=${quote.organizationId}`}
          >
            {quote.organization}
          </Link>,
        ],
        [t('quotes.column_validUntil'), format.dayTable(quote.validUntil)],
        [
          t('quotes.column_createdAt'),
          <>
            <Moment at={quote.createdAt} as="dateTime" />
            {quote.createdBy !== '' && ` · ${quote.createdBy}`}
          </>,
        ],
        ...(quote.sentAt
          ? [[t('quotes.column_sentAt'), <Moment key="sent" at={quote.sentAt} as="dateTime" />] as const]
          : []),
        ...(decision
          ? [
              [
                t(`quotes.state_${quote.state}`),
                <>
                  <Moment at={decision.at} as="dateTime" />
                  {` · ${decision.name} · ${decision.address}`}
                </>,
              ] as const,
            ]
          : []),
        ...(withdrawn
          ? [
              [
                t('quotes.state_withdrawn'),
                <>
                  <Moment at={withdrawn.at} as="dateTime" />
                  {` · ${withdrawn.by}`}
                </>,
              ] as const,
            ]
          : []),
        ...(reason === '' ? [] : [[t('quotes.reason'), reason] as const]),
      ]}
    />
  );
}

/** What was created from an accepted quote, each with a link. */
function Became({ quote }: { quote: QuoteDetail }) {
  const { t } = useTranslation('quotes');
  const { language } = useFormat();
  return (
    <PanelPart title={t('quotes.became')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {quote.made.map((made) => (
          <Box component="li" key={made.id} sx={{ paddingBlock: '4px', fontSize: '0.875rem' }}>
            {/* used as: 'quotes.kind_*' */}
            <Box component="span" sx={{ color: 'text.secondary', marginInlineEnd: 1 }}>
              {t(`quotes.kind_${made.kind}`)}
            </Box>
            <Link component={RouterLink} to={pathOfMade(made, quote.organizationId)}>
              {inLanguage(made.name, language)}
            </Link>
          </Box>
        ))}
      </Box>
    </PanelPart>
  );
}

function Version({
  quote,
  version,
  onChoose,
}: {
  quote: QuoteDetail;
  version: QuoteVersion;
  onChoose: (version: string) => void;
}) {
  const { t } = useTranslation('quotes');
  const language = useLanguage();
  const download = useDownload();
  const nameOf = ({ version: number, sentAt }: QuoteVersion): string =>
    t(sentAt ? 'quotes.version_sent' : 'quotes.version_draft', { version: number });
  return (
    <Stack component="section" sx={{ gap: 2.5 }}>
      <Stack
        direction="row"
        sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        {quote.versions.length > 1 ? (
          <SelectBox
            label={t('quotes.column_version')}
            value={String(version.version)}
            onChange={onChoose}
            options={quote.versions.map((each) => ({ value: String(each.version), label: nameOf(each) }))}
          />
        ) : (
          <Typography variant="h3">{nameOf(version)}</Typography>
        )}
        <Button
          size="small"
          startIcon={<DownloadOutlined />}
          onClick={() =>
            void download((options) =>
              quotesApi.quotePdf({ quoteId: quote.id, version: version.version, language }, options),
            )
          }
        >
          {t('quotes.download')}
        </Button>
      </Stack>
      {version.items.length > 0 && <OfferedItems items={version.items} />}
      {version.terms.length > 0 && <OfferedTerms terms={version.terms} />}
      <EstimateView estimate={version.estimate} />
    </Stack>
  );
}
