// The charges of bills as table columns.
import { sql, type RawBuilder } from 'kysely';
import { majorUnits, tableOf, type TableColumn } from '#platform/server/database/table-columns.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { contentLanguageOf, conventionsOf, type Language } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { chargeCycles } from '#features/selling/rating/contract.ts';
import { billStates, lineKinds } from '../contract.ts';
import type { ChargeRow } from './store-export.ts';

const tableColumns = [
  'bill_number',
  'month',
  'organization',
  'state',
  'issued_at',
  'due_at',
  'service',
  'subscription',
  'kind',
  'for_month',
  'quantity',
  'unit',
  'unit_price',
  'exact',
  'charged',
  'currency',
  'used_by',
] as const;

type TranslateKey = (key: string, params?: TextParams) => string;

/** Converts a query of charges to a table in the reader's language. */
export function tableOfCharges(charges: RawBuilder<ChargeRow>, translate: TranslateKey, language: Language) {
  // used as: 'billing.csv_*'
  return {
    header: tableColumns.map((column) => translate(`billing.csv_${column}`)),
    ...tableOf(columnsOf(translate, language), sql`(${charges}) as charge`),
  };
}

/** SQL expressions for {@link tableColumns}, based on a {@link ChargeRow} named `charge`. */
function columnsOf(translate: TranslateKey, language: Language): TableColumn[] {
  const textsOf = <Key extends string>(
    keys: readonly Key[],
    keyOf: (key: Key) => string,
  ): Record<string, string> => Object.fromEntries(keys.map((key) => [key, translate(keyOf(key))]));
  const text = (name: string): TableColumn => ({ text: sql.ref(`charge.${name}`) });
  const code = (name: string): TableColumn => ({ code: sql.ref(`charge.${name}`) });
  const figure = (name: string): TableColumn => ({ figure: sql.ref(`charge.${name}`) });
  // Reversals, and late usage in several units, have an amount but no quantity.
  const isCounted = sql`(charge.kind <> 'tax' and charge.taken_back is null and not (charge.kind = 'adjustment' and charge.unit = ''))`;
  // used as: 'rating.per_*'
  const periods = {
    ...textsOf(chargeCycles, (cycle) => `rating.per_${cycle}`),
    once: translate('rating.one_once'),
  };
  const unit = sql`case when not ${isCounted} then '' when charge.kind in ('usage', 'adjustment') then charge.unit else coalesce(${JSON.stringify(periods)}::jsonb ->> charge.unit, charge.unit) end`;
  const between = translate('rating.of_service', { service: '', charge: '' });
  const service = sql`charge.service_name || coalesce(case when charge.service_name = '' then '' else ${between} end || (charge.charge_name ->> ${contentLanguageOf(language)}::text), '') || ${periodOf(translate, language)}`;
  // used as: 'billing.state_*', 'billing.csv_taken_*', 'billing.pdf_kind_*'
  const states = {
    ...textsOf(billStates, (state) => `billing.state_${state}`),
    ...Object.fromEntries(
      (['credit_note', 'void'] as const).map((taken) => [
        `taken_${taken}`,
        translate(`billing.csv_taken_${taken}`),
      ]),
    ),
  };
  return [
    code('number'),
    code('month'),
    text('organization'),
    { word: sql`coalesce('taken_' || charge.taken_back, charge.state)`, labels: states },
    code('issued_at'),
    code('due_at'),
    { text: service },
    code('subscription_id'),
    {
      word: sql`charge.kind`,
      labels: {
        ...textsOf(lineKinds, (kind) => `billing.pdf_kind_${kind}`),
        tax: translate('billing.csv_tax'),
      },
    },
    code('for_month'),
    { figure: sql`case when ${isCounted} then charge.quantity end` },
    { text: unit },
    figure('unit_price'),
    figure('exact_amount'),
    { figure: majorUnits(sql`charge.amount_minor`, sql`charge.currency`) },
    code('currency'),
    text('used_by'),
  ];
}

/**
 * The days of a fee's period after its name, as in the file of a single bill: only if the period is not a
 * calendar month, so that the weeks on one bill can be told apart. The SQL equivalent of {@link namedPeriod}
 * and of the date range format.
 */
function periodOf(translate: TranslateKey, language: Language): RawBuilder<unknown> {
  const [open = '', close = ''] = translate('billing.csv_of_days', { line: '', days: mark }).split(mark);
  const first = sql`(charge.fee_share ->> 'from')::date`;
  const days = sql`case charge.fee_share ->> 'unit' when 'day' then (charge.fee_share ->> 'whole')::integer else round((charge.fee_share ->> 'whole')::numeric / 86400)::integer end`;
  const last = sql`(${first} + ${days} - 1)`;
  const isNamed = sql`charge.fee_share ->> 'from' is not null and not (charge.unit = 'month' and charge.fee_share ->> 'from' like '%-01')`;
  const text = (day: RawBuilder<unknown>, pattern: string) => sql`to_char(${day}, ${pattern})`;
  const isSame = (part: 'year' | 'month') =>
    sql`date_trunc(${part}, ${first}::timestamp) = date_trunc(${part}, ${last}::timestamp)`;
  // The separator between the two days of a range, including thin spaces, is locale-specific.
  const to = dayFormat('enUS').range('2026-01-05', '2026-01-25').slice('Jan 5'.length, -'25, 2026'.length);
  const range =
    conventionsOf(language) === 'zhTW'
      ? sql`${text(first, 'YYYY/MM/DD')} || '–' || case when ${isSame('year')} then ${text(last, 'MM/DD')} else ${text(last, 'YYYY/MM/DD')} end`
      : sql`case when ${isSame('year')} then ${text(first, 'Mon FMDD')} else ${text(first, 'Mon FMDD, YYYY')} end || ${to} || case when ${isSame('month')} then ${text(last, 'FMDD, YYYY')} else ${text(last, 'Mon FMDD, YYYY')} end`;
  return sql`case when ${isNamed} then ${open} || ${range} || ${close} else '' end`;
}

/** A placeholder for the days while a sentence is split. */
const mark = '\u0001';
