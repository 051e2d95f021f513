// The Admin's contract simulator: terms on the left, and the amounts of a customer's closed months under
// these terms.
import Box from '@mui/material/Box';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import { identityQueries } from '#features/access/identity/web/parts.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import ScienceOutlined from '~icons/ic/outline-science';
import type { ContractToSimulate } from '../contract-terms.ts';
import { readAddress, writeAddress, type Addressed } from './contract-address.ts';
import { contractFields, contractInput, type ContractFields } from './contract-fields.ts';
import { planningKey } from './api.ts';
import { ContractForm } from './ContractForm.tsx';
import { ContractOutcome } from './ContractOutcome.tsx';

export function ContractSimulatorScreen() {
  const { t } = useTranslation('planning');
  const [params] = useAddressParams();
  const currency = useBrand((brand) => brand.currency);
  // Read once; afterwards the address follows the form.
  const [addressed] = useState(() => readAddress(params, currency));
  const start = useNamed(addressed);
  return (
    <Page title={t('planning.contract_title')} lead={t('planning.contract_lead')}>
      {start ? <Simulator start={start} /> : <Block height={480} />}
    </Page>
  );
}

/** The form in the address with the names of its customer and services; undefined while they are loading. */
function useNamed({ organizationId, serviceIds, fields }: Addressed): ContractFields | undefined {
  const organization = useQuery({
    ...identityQueries.adminOrganization({ organizationId: organizationId ?? ('' as never) }),
    enabled: organizationId !== undefined,
  });
  const services = useQueries({
    queries: serviceIds.map((serviceId) => catalogueQueries.adminGetService({ serviceId })),
  });
  const isLoading = [organization, ...services].some(
    ({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle',
  );
  if (isLoading) return undefined;
  const names = new Map<string, string>(services.flatMap(({ data }) => (data ? [[data.id, data.name]] : [])));
  return fields({
    organization: () => organization.data?.name,
    service: (serviceId) => names.get(serviceId),
  });
}

/** The request, and the form it came from. */
type Asked = { readonly input: ContractToSimulate; readonly organization: string; readonly text: string };

const askedBy = (fields: ContractFields): Asked => ({
  input: contractInput(fields),
  organization: fields.organization?.name ?? '',
  text: textOf(fields),
});
const textOf = (fields: ContractFields): string => writeAddress(new URLSearchParams(), fields).toString();

const Outcome = memo(ContractOutcome);

function Simulator({ start }: { start: ContractFields }) {
  const { t } = useTranslation('planning');
  const form = useZodForm(contractFields, start);
  const [asked, setAsked] = useState<Asked | undefined>(() => {
    // A link to a complete simulation runs it immediately.
    const read = contractFields.safeParse(start);
    return read.success ? askedBy(read.data) : undefined;
  });
  const fields = form.watch();
  const cache = useQueryClient();
  const result = useRef<HTMLDivElement>(null);
  const ask = (typed: ContractFields): void => {
    const next = askedBy(typed);
    // If the same request is made again, it is recalculated, because a bill may have been voided in the
    // meantime.
    if (next.text === asked?.text)
      void cache.invalidateQueries({ queryKey: planningKey('simulateContract') });
    else setAsked(next);
    // The button is at the end of a possibly long form; the result starts above it, or on phones below.
    result.current?.scrollIntoView({ block: 'start' });
  };
  useInAddress(fields);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '408px minmax(0, 1fr)' },
      }}
    >
      <ContractForm form={form} onSubmit={ask} />
      <Box ref={result} sx={{ minWidth: 0, scrollMarginTop: '80px' }}>
        {asked ? (
          <Outcome
            input={asked.input}
            organization={asked.organization}
            isOld={asked.text !== textOf(fields)}
          />
        ) : (
          <Section>
            <EmptyState
              icon={<ScienceOutlined />}
              title={t('planning.contract_begin')}
              hint={t('planning.contract_begin_hint')}
            />
          </Section>
        )}
      </Box>
    </Box>
  );
}

/** Keeps the form in the address after a pause in typing, so that reloading loses nothing. */
function useInAddress(fields: ContractFields): void {
  const [, change] = useAddressParams();
  const rested = useDebounced(fields);
  const text = textOf(rested);
  const written = useRef(text);
  const write = useEffectEvent(() =>
    change((now) => writeAddress(now, rested), { replace: true, preventScrollReset: true }),
  );
  useEffect(() => {
    // Unchanged if the address already contains the form.
    if (written.current === text) return;
    written.current = text;
    write();
  }, [text]);
}
