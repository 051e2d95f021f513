// The charges of bills as the columns of a table.
import { sql, type RawBuilder } from 'kysely';
import { majorUnits, tableOf, type TableColumn } from '#platform/server/database/table-columns.ts';
import type { Language } from '#kernel/language.ts';
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
] as const;

type TranslateKey = (key: string, params?: TextParams) => string;

/** A query of charges as a table in the reader's language. */
export function tableOfCharges(charges: RawBuilder<ChargeRow>, translate: TranslateKey, language: Language) {
  // used as: 'billing.csv_*'
  return {
    header: tableColumns.map((column) => translate(`billing.csv_${column}`)),
    ...tableOf(columnsOf(translate, language), sql`(${charges}) as charge`),
  };
}

/** What stands in each of {@link tableColumns}, said of a {@link ChargeRow} named `charge`. */
function columnsOf(translate: TranslateKey, language: Language): TableColumn[] {
  const textsOf = <Key extends string>(
    keys: readonly Key[],
    keyOf: (key: Key) => string,
  ): Record<string, string> => Object.fromEntries(keys.map((key) => [key, translate(keyOf(key))]));
  const text = (name: string): TableColumn => ({ text: sql.ref(`charge.${name}`) });
  const code = (name: string): TableColumn => ({ code: sql.ref(`charge.${name}`) });
  const figure = (name: string): TableColumn => ({ figure: sql.ref(`charge.${name}`) });
  // What is taken back has an amount and no quantity of its own.
  const isCounted = sql`(charge.kind <> 'tax' and charge.taken_back is null)`;
  // used as: 'rating.per_*'
  const periods = {
    ...textsOf(chargeCycles, (cycle) => `rating.per_${cycle}`),
    once: translate('rating.one_once'),
  };
  const unit = sql`case when not ${isCounted} then '' when charge.kind in ('usage', 'adjustment') then charge.unit else coalesce(${JSON.stringify(periods)}::jsonb ->> charge.unit, charge.unit) end`;
  const between = translate('rating.of_service', { service: '', charge: '' });
  const service = sql`charge.service_name || coalesce(case when charge.service_name = '' then '' else ${between} end || (charge.charge_name ->> ${language}), '')`;
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
  ];
}
