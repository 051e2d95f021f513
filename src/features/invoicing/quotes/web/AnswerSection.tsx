// The response to a quote: accepting it for the organization, or declining it, and the response given.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import type { OpenedQuote } from '../contract.ts';
import { quotesApi, quotesKey } from './api.ts';

type Answered = { readonly quote: OpenedQuote; readonly token: string };

export function AnswerSection({ quote, token }: Answered) {
  const { t } = useTranslation('quotes');
  const [isDeclining, setIsDeclining] = useState(false);
  if (quote.state !== 'sent') return <Outcome quote={quote} />;
  return (
    <Section title={t(isDeclining ? 'quotes.decline_title' : 'quotes.accept_title')}>
      {isDeclining ? (
        <Decline token={token} onBack={() => setIsDeclining(false)} />
      ) : (
        <Accept quote={quote} token={token} onDecline={() => setIsDeclining(true)} />
      )}
    </Section>
  );
}

function Outcome({ quote }: { quote: OpenedQuote }) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  const isAccepted = quote.state === 'accepted';
  const params = {
    name: quote.decision?.name ?? '',
    at: quote.decision ? format.dateTime(quote.decision.at) : '',
  };
  return (
    <Alert severity={isAccepted ? 'success' : 'info'} role="status">
      <Typography variant="body2" sx={{ fontWeight: 700 }}>
        {t(isAccepted ? 'quotes.accepted_title' : 'quotes.declined_title', params)}
      </Typography>
      <Typography variant="body2">
        {t(isAccepted ? 'quotes.accepted_text' : 'quotes.declined_text', params)}
      </Typography>
    </Alert>
  );
}

/** Shows the quote from the response in place of the open one. */
function useAnswered(): (quote: OpenedQuote) => void {
  const cache = useQueryClient();
  return (quote) => {
    cache.setQueriesData({ queryKey: quotesKey('openQuote') }, quote);
  };
}

const acceptFields = z.strictObject({
  name: text(120),
  mayAct: z.boolean().check(z.refine((value) => value, 'quotes.may_act_needed')),
});

function Accept({ quote, token, onDecline }: Answered & { onDecline: () => void }) {
  const { t } = useTranslation('quotes');
  const language = useLanguage();
  const answered = useAnswered();
  const form = useZodForm(acceptFields, { name: '', mayAct: false });
  return (
    <Form
      form={form}
      label={t('quotes.accept_title')}
      onSubmit={async (fields) => answered(await quotesApi.acceptQuote({ token, language, ...fields }))}
    >
      <Typography variant="body2">{t('quotes.accept_lead', { customer: quote.customer.name })}</Typography>
      <TextField form={form} name="name" label={t('quotes.your_name')} autoComplete="name" required />
      <CheckField form={form} name="mayAct" label={t('quotes.may_act', { customer: quote.customer.name })} />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <SubmitButton form={form} size="large">
          {t('quotes.accept')}
        </SubmitButton>
        <Button size="large" onClick={onDecline}>
          {t('quotes.decline')}
        </Button>
      </Stack>
    </Form>
  );
}

const declineFields = z.strictObject({ name: text(120), reason: optionalText(500) });

function Decline({ token, onBack }: { token: string; onBack: () => void }) {
  const { t } = useTranslation('quotes');
  const language = useLanguage();
  const answered = useAnswered();
  const form = useZodForm(declineFields, { name: '', reason: '' });
  return (
    <Form
      form={form}
      label={t('quotes.decline_title')}
      onSubmit={async (fields) => answered(await quotesApi.declineQuote({ token, language, ...fields }))}
    >
      <TextField form={form} name="name" label={t('quotes.your_name')} autoComplete="name" required />
      <TextField
        form={form}
        name="reason"
        label={t('quotes.reason')}
        help={t('quotes.reason_help')}
        autoComplete="off"
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <SubmitButton form={form} size="large" color="error">
          {t('quotes.decline')}
        </SubmitButton>
        <Button size="large" onClick={onBack}>
          {t('ui.back')}
        </Button>
      </Stack>
    </Form>
  );
}
