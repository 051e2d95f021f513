// Month packs: create the pack of a month, watch its progress, stop it, download it.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Lines, QueryState, type QueryStateProps } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Pack } from '../contract.ts';
import { packsApi, packsKey, packsQueries } from './api.ts';
import { PackTable, type PackTableProps } from './PackTable.tsx';

/** The polling interval while a pack is in progress, in case a live update gets lost. */
const progressMs = 2000;

/** While a pack is in progress, the list is polled. */
const whileMade = (polled: { state: { data: { items: readonly Pack[] } | undefined } }): number | false =>
  polled.state.data?.items.some((pack) => pack.state === 'running' || pack.state === 'waiting')
    ? progressMs
    : false;

/** All organizations' packs of the month that its screen shows. */
export function MonthPacks({ month }: { readonly month: BillingMonth }) {
  const { t } = useTranslation('packs');
  useLive('billing', [packsKey('listPacks')]);
  const query = useQuery({ ...packsQueries.listPacks(), refetchInterval: whileMade });
  const make = useCall(packsApi.makePack, { invalidates: [packsKey('listPacks')] });
  const stop = useCall(packsApi.stopPack, { invalidates: [packsKey('listPacks')] });
  return (
    <PackSection
      lead={t('packs.lead')}
      form={
        <MakePackForm
          month={month}
          isMaking={make.isPending}
          onMake={(wanted) => make.mutate({ month: wanted })}
        />
      }
      query={query}
      onStop={(packId) => stop.mutate({ packId })}
      onTake={(packId, options) => packsApi.downloadPack({ packId }, options)}
    />
  );
}

/** The user's organization's packs. */
export function OwnMonthPacks() {
  const { t } = useTranslation('packs');
  useLive('bills', [packsKey('listOwnPacks')]);
  const query = useQuery({ ...packsQueries.listOwnPacks(), refetchInterval: whileMade });
  const make = useCall(packsApi.makeOwnPack, { invalidates: [packsKey('listOwnPacks')] });
  const stop = useCall(packsApi.stopOwnPack, { invalidates: [packsKey('listOwnPacks')] });
  return (
    <PackSection
      lead={t('packs.own_lead')}
      form={<MakePackForm isMaking={make.isPending} onMake={(wanted) => make.mutate({ month: wanted })} />}
      query={query}
      onStop={(packId) => stop.mutate({ packId })}
      onTake={(packId, options) => packsApi.downloadOwnPack({ packId }, options)}
    />
  );
}

type PackSectionProps = Omit<PackTableProps, 'packs'> & {
  readonly lead: string;
  readonly form: ReactNode;
  readonly query: QueryStateProps<{ readonly items: readonly Pack[] }>['query'];
};

function PackSection({ lead, form, query, onStop, onTake }: PackSectionProps) {
  const { t } = useTranslation('packs');
  return (
    <Section title={t('packs.title')} lead={lead} flush>
      {form}
      <QueryState query={query} skeleton={<Lines count={3} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState compact title={t('packs.empty')} hint={t('packs.empty_hint')} />
          ) : (
            <PackTable packs={items} onStop={onStop} onTake={onTake} />
          )
        }
      </QueryState>
    </Section>
  );
}

/** The month and the button; without `month`, the user selects one. */
function MakePackForm({
  month,
  isMaking,
  onMake,
}: {
  readonly month?: BillingMonth;
  readonly isMaking: boolean;
  readonly onMake: (month: BillingMonth) => void;
}) {
  const { t } = useTranslation('packs');
  const format = useFormat();
  const latest = addMonths(monthNow(useBrand((brand) => brand.timeZone)), -1);
  const [own, setOwn] = useState(latest);
  const wanted = month ?? own;
  return (
    <Stack
      direction="row"
      sx={{
        gap: 1.5,
        flexWrap: 'wrap',
        alignItems: 'center',
        paddingInline: { xs: 2, sm: 3 },
        paddingBottom: 2,
      }}
    >
      {month === undefined && <MonthPicker value={own} max={latest} onChange={setOwn} />}
      <Button variant="outlined" loading={isMaking} onClick={() => onMake(wanted)}>
        {t('packs.make', { month: format.month(wanted) })}
      </Button>
    </Stack>
  );
}
