// Where a customer's future e-invoices are stored; with a tax id they are issued to the company.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { keeps, type KeepChoice } from '../contract.ts';
import { choiceMistake, tidyCode } from '../rules.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { KeepFields } from './BuyerFields.tsx';

const preference = () => ({ ...einvoicesQueries.getEinvoicePreference(), refetchOnWindowFocus: false });

/** Whether e-invoices are issued, so that there is a choice. */
export function useHasPreference(): boolean {
  const isUser = useAuthStore((auth) => auth.user?.role.trim() === 'User');
  const allows = useAllows();
  return useQuery({ ...preference(), enabled: isUser && allows('payments:read') }).data?.isOn === true;
}

export function PreferenceSection() {
  const { t } = useTranslation('einvoices');
  return (
    <Section title={t('einvoices.preference')} lead={t('einvoices.preference_lead')}>
      <Box sx={{ maxWidth: 720 }}>
        <QueryState query={useQuery(preference())} skeleton={<Lines count={3} />}>
          {({ keep, code, taxId, keeps: offered }) => (
            <>
              {taxId !== '' && (
                <Alert severity="info" sx={{ marginBottom: 2 }}>
                  {t('einvoices.preference_company', { taxId })}
                </Alert>
              )}
              <PreferenceForm choice={{ keep, code }} offered={offered} />
            </>
          )}
        </QueryState>
      </Box>
    </Section>
  );
}

const Draft = z.strictObject({ keep: z.enum(keeps), code: z.string() }).check(
  z.check((context) => {
    const { keep, code } = context.value;
    const mistake = choiceMistake({ keep, code: tidyCode(code) });
    if (mistake) context.issues.push({ code: 'custom', input: code, path: ['code'], message: mistake });
  }),
);

function PreferenceForm({ choice, offered }: { choice: KeepChoice; offered: readonly KeepChoice['keep'][] }) {
  const { t } = useTranslation('einvoices');
  const form = useZodForm(Draft, choice);
  const save = useCall(einvoicesApi.saveEinvoicePreference, { invalidates: [einvoicesKey()] });
  const submit = async ({ keep, code }: z.output<typeof Draft>) => {
    const saved = await save.mutateAsync({ keep, code: tidyCode(code) });
    form.reset({ keep: saved.keep, code: saved.code });
    toast.success(t('einvoices.preference_saved'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('einvoices.preference_title')}>
      <KeepFields form={form} offered={offered} />
      <Box>
        <SubmitButton form={form}>{t('einvoices.save')}</SubmitButton>
      </Box>
    </Form>
  );
}
