// The filters of the list of rejected events, stored in the address.
import { useQuery } from '@tanstack/react-query';
import type { Out } from '#kernel/contract.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { FilterSpec } from '#platform/web/ui/FilterBar.tsx';
import { useTableState, writeTable, type TableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { rejectedStates, type Rejected, type rejections } from '../contract.ts';
import { callsOf, type Reader } from './api.ts';
import { useReasonName } from './reasons.ts';

type Filters = { code: readonly string[]; type: readonly string[] };
export type RejectedState = TableState<Filters>;

/** A prefix for the address parameters, because pages with this list have their own filters. */
const prefix = 'rejected-';

/** The list's state and filters, and the counts by reason. */
export function useRejectedFilters(reader: Reader): {
  state: RejectedState;
  filters: FilterSpec<Filters>;
  shown: Rejected['state'];
  setShown: (shown: Rejected['state']) => void;
  reasons: Out<typeof rejections.rejectedReasons> | undefined;
  /** Whether the reasons are being loaded for the first time. */
  isLoading: boolean;
} {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const nameOf = useReasonName();
  const [params, setParams] = useAddressParams();
  const shown = rejectedStates.find((one) => one === params.get(`${prefix}state`)) ?? 'open';
  const { data, isLoading } = useQuery(callsOf[reader].reasons({}));
  // A filter value from the address can still be selected even if no event has it.
  const codes = [
    ...new Set([...(data?.reasons ?? []).map((each) => each.code), ...params.getAll(`${prefix}code`)]),
  ];
  const types = [...new Set([...(data?.types ?? []), ...params.getAll(`${prefix}type`)])];
  const counts = new Map(data?.reasons.map(({ code, count }) => [code, count]));
  const state = useTableState({
    filters: { code: codes, type: types },
    sort: '-lastReceivedAt',
    prefix,
    alsoInView: [`${prefix}state`],
  });
  const filters: FilterSpec<Filters> = {
    code: {
      label: t('rejections.column_reason'),
      options:
        data &&
        codes.map((code) => ({
          value: code,
          label: counts.has(code)
            ? `${nameOf(code)} (${format.number(counts.get(code) ?? 0)})`
            : nameOf(code),
        })),
    },
    type: {
      label: t('rejections.column_type'),
      options: data && types.map((one) => ({ value: one, label: one })),
    },
  };
  // Changing the state filter returns to the first page.
  const setShown = (next: Rejected['state']) =>
    setParams((now) => writeTable(now, { state: next === 'open' ? undefined : next }, prefix), {
      preventScrollReset: true,
    });
  return { state, filters, shown, setShown, reasons: data, isLoading };
}
