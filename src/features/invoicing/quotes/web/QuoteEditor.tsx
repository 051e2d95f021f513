// Writes a quote: its form on the left, and the estimate on the right, updated while typing.
import ArrowBackOutlined from '~icons/ic/outline-arrow-back';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useLeaveGuard } from '#platform/web/form/UnsavedBar.tsx';
import type { QuoteDetail } from '../contract.ts';
import { quotesApi, quotesKey, quotesQueries } from './api.ts';
import { EstimateView } from './OfferView.tsx';
import { QuoteForm } from './QuoteForm.tsx';
import { sentenceOf } from './quote-words.ts';
import { contentOf, emptyQuote, fieldsOf, quoteFields, type QuoteFields } from './quote-fields.ts';

type Closing = { /** With the id of the saved quote. */ readonly onClose: (saved?: string) => void };

/** The default number of days for which a new quote is valid. */
const usualDays = 30;

export function NewQuote({ onClose }: Closing) {
  const { t } = useTranslation('quotes');
  const currency = useBrand((brand) => brand.currency);
  const zone = useBrand((brand) => brand.timeZone);
  const now = useNow();
  const create = useCall(quotesApi.createQuote, { invalidates: [quotesKey()] });
  return (
    <Editor
      title={t('quotes.new')}
      start={emptyQuote(currency, addDays(dayOf(now, zone), usualDays))}
      onClose={onClose}
      save={(fields) =>
        create.mutateAsync({
          organizationId: fields.organization?.id ?? ('' as Id<'org'>),
          currency: fields.currency,
          validUntil: fields.validUntil as QuoteDetail['validUntil'],
          content: contentOf(fields),
        })
      }
    />
  );
}

export function EditQuote({ quoteId, onClose }: Closing & { quoteId: Id<'qot'> }) {
  const { t } = useTranslation('quotes');
  const query = useQuery({ ...quotesQueries.getQuote({ quoteId }), refetchOnWindowFocus: false });
  return (
    <QueryState
      query={query}
      skeleton={
        <Page title={t('quotes.quote')}>
          <Block height={480} />
        </Page>
      }
    >
      {(quote) => <Edit quote={quote} onClose={onClose} />}
    </QueryState>
  );
}

function Edit({ quote, onClose }: Closing & { quote: QuoteDetail }) {
  const { t } = useTranslation('quotes');
  const update = useCall(quotesApi.updateQuote, { invalidates: [quotesKey()] });
  const [version] = quote.versions;
  if (!version) return null;
  return (
    <Editor
      title={t('quotes.edit_title', { number: quote.number ?? quote.organization })}
      {...(!quote.hasDraft && { hint: t('quotes.edit_hint', { version: version.version + 1 }) })}
      start={fieldsOf(quote, version)}
      isOld
      onClose={onClose}
      save={(fields) =>
        update.mutateAsync({
          quoteId: quote.id,
          revision: quote.revision,
          validUntil: fields.validUntil as QuoteDetail['validUntil'],
          content: contentOf(fields),
        })
      }
    />
  );
}

function Editor({
  title,
  hint,
  start,
  isOld = false,
  save,
  onClose,
}: Closing & {
  title: string;
  hint?: string;
  start: QuoteFields;
  /** The customer and currency of an existing quote cannot be changed. */
  isOld?: boolean;
  save: (fields: QuoteFields) => Promise<QuoteDetail>;
}) {
  const { t } = useTranslation('quotes');
  const form = useZodForm(quoteFields, start);
  useLeaveGuard(form.formState.isDirty && !form.formState.isSubmitSuccessful, t('ui.unsaved'));
  return (
    <Page
      title={title}
      lead={hint ?? t('quotes.editor_lead')}
      actions={
        <Button startIcon={<ArrowBackOutlined />} onClick={() => onClose()}>
          {t('quotes.back')}
        </Button>
      }
    >
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1.35fr) minmax(0, 1fr)' },
        }}
      >
        <QuoteForm
          form={form}
          isOld={isOld}
          onSubmit={async (fields) => {
            const { id } = await save(fields);
            toast.success(t('quotes.saved'));
            onClose(id);
          }}
        />
        <Box sx={{ position: { lg: 'sticky' }, top: { lg: '80px' }, minWidth: 0 }}>
          <LiveEstimate fields={form.watch()} />
        </Box>
      </Box>
    </Page>
  );
}

/** The amounts if the form's quote were accepted today, as far as they can be calculated. */
function LiveEstimate({ fields }: { fields: QuoteFields }) {
  const { t } = useTranslation('quotes');
  const rested = useDebounced(fields);
  const read = quoteFields.safeParse(withNames(rested));
  const query = usePagedQuery({
    ...quotesQueries.previewQuote(
      read.success
        ? {
            organizationId: read.data.organization?.id ?? ('' as Id<'org'>),
            currency: read.data.currency,
            content: contentOf(read.data),
          }
        : ({} as never),
    ),
    enabled: read.success,
    retry: false,
  });
  const { data, error, isFetching } = query;
  return (
    <Section title={t('quotes.estimate')}>
      <Stack sx={{ gap: 1.5 }}>
        {isFetching && <ProgressBar label={t('quotes.estimating')} ratio={undefined} />}
        {!read.success && (
          <Typography variant="body2" color="textSecondary">
            {t('quotes.estimate_incomplete')}
          </Typography>
        )}
        {read.success && error && <Alert severity="warning">{sentenceOf(error)}</Alert>}
        {data && (
          <Box sx={{ opacity: read.success && !error ? 1 : 0.5 }}>
            <EstimateView estimate={data} />
          </Box>
        )}
      </Stack>
    </Section>
  );
}

/** Names do not affect the amounts, so these are calculated before names are typed. */
function withNames(fields: QuoteFields): QuoteFields {
  const named = <T extends { readonly name: { zhTW: string; enUS: string } }>(entries: readonly T[]): T[] =>
    entries.map((entry) => ({
      ...entry,
      name: { zhTW: entry.name.zhTW || '—', enUS: entry.name.enUS || '—' },
    }));
  const { content } = fields;
  return {
    ...fields,
    content: {
      ...content,
      oneOffs: named(content.oneOffs),
      discounts: named(content.discounts),
      grants: named(content.grants),
      commitments: named(content.commitments),
    },
  };
}
