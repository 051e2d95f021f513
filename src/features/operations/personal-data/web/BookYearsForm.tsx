// For how many years books and vouchers are kept, as the certificate of an erasure states.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { personalDataApi, personalDataKey, personalDataQueries } from './api.ts';

const years = z.string().check(
  z.trim(),
  z.refine((typed) => /^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 30, {
    error: 'personaldata.bad_years',
  }),
);
const schema = z.strictObject({ vouchers: years, books: years });

export function BookYearsForm() {
  const { t } = useTranslation('personaldata');
  const query = useQuery({ ...personalDataQueries.bookYears(), refetchOnWindowFocus: false });
  return (
    <Section title={t('personaldata.book_years')} lead={t('personaldata.book_years_lead')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {(kept) => <Years vouchers={kept.vouchers} books={kept.books} />}
      </QueryState>
    </Section>
  );
}

function Years({ vouchers, books }: { readonly vouchers: number; readonly books: number }) {
  const { t } = useTranslation('personaldata');
  const form = useZodForm(schema, { vouchers: String(vouchers), books: String(books) });
  const save = useCall(personalDataApi.saveBookYears, {
    invalidates: [personalDataKey('bookYears')],
    onSuccess: () => toast.success(t('personaldata.saved')),
  });
  return (
    <Form
      form={form}
      label={t('personaldata.book_years')}
      onSubmit={(typed) => save.mutateAsync({ vouchers: Number(typed.vouchers), books: Number(typed.books) })}
    >
      <Box
        sx={{
          display: 'grid',
          gap: '4px 16px',
          maxWidth: 480,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <TextField
          form={form}
          name="vouchers"
          label={t('personaldata.years_vouchers')}
          inputMode="numeric"
          required
        />
        <TextField
          form={form}
          name="books"
          label={t('personaldata.years_books')}
          inputMode="numeric"
          required
        />
      </Box>
      <Box>
        <SubmitButton form={form}>{t('personaldata.save')}</SubmitButton>
      </Box>
    </Form>
  );
}
