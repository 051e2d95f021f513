// How an organization is currently taxed, and the result of the VIES check of its VAT id, with a button that
// checks it.
import { inLanguage } from '#kernel/language.ts';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { LineTax, VatCheck } from '../contract.ts';
import { taxesApi, taxesKey, taxesQueries } from './api.ts';

const tones: Readonly<Record<VatCheck['state'], BadgeTone>> = {
  valid: 'success',
  invalid: 'error',
  not_checked: 'neutral',
};

export function OrganizationTax({ organizationId }: { organizationId: Id<'org'> }) {
  const { t } = useTranslation('taxes');
  const query = useQuery(taxesQueries.organizationTax({ organizationId }));
  const wordsOf = useTaxWords();
  const check = useCall(taxesApi.checkVatId, {
    invalidates: [taxesKey('organizationTax')],
    // used as: 'taxes.checked_*'
    onSuccess: ({ state }) =>
      (state === 'invalid' ? toast.error : toast.success)(t(`taxes.checked_${state}`)),
  });
  return (
    <Stack component="section" sx={{ gap: 1.5 }}>
      <Typography variant="h3">{t('taxes.organization')}</Typography>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ tax, check: last }) => (
          <>
            <Facts
              items={[[t('taxes.organization_today'), wordsOf(tax)], ...(last ? checkFacts(last) : [])]}
            />
            {(last !== null || tax.category === 'AE' || tax.category === 'K') && (
              <div>
                <Button
                  variant="outlined"
                  disabled={check.isPending}
                  onClick={() => check.mutate({ organizationId })}
                >
                  {t('taxes.check_now')}
                </Button>
              </div>
            )}
          </>
        )}
      </QueryState>
    </Stack>
  );

  function checkFacts({ state, checkedAt, requestId, name }: VatCheck) {
    // used as: 'taxes.vat_state_*'
    return [
      [
        t('taxes.vat_check'),
        <StatusBadge key="state" tone={tones[state]} label={t(`taxes.vat_state_${state}`)} />,
      ],
      [t('taxes.vat_checked_at'), <Moment key="at" at={checkedAt} as="dateTime" />],
      ...(name === '' ? [] : [[t('taxes.vat_name'), name] as const]),
      ...(requestId === '' ? [] : [[t('taxes.vat_request'), requestId] as const]),
    ] as const;
  }
}

/** A tax as text: its rate, or why there is none. */
function useTaxWords(): (tax: LineTax) => string {
  const { t } = useTranslation('taxes');
  const { language } = useFormat();
  return ({ category, rate, reason }) =>
    inLanguage(reason?.name, language) ??
    (category === 'Z' ? t('taxes.code_Z') : t('taxes.code_S', { rate }));
}
