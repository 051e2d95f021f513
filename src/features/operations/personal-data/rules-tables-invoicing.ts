// Which data of bills, terms and the ledger may leave the console, and to whom it belongs.
import type { TableRules } from './rules-table.ts';

export const invoicingTables = {
  bill: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id organization_id month currency series sequence number state period_start period_end issued_at due_at net_minor tax_rate tax_minor total_minor paid_minor paid_at buyer content_hash credited_minor returned_minor letterhead_id line_count is_processing document_layout kind discount_minor promotional_minor true_up_minor taxes used_by_id used_by_name by_subscription',
  },
  bill_due_change: {
    of: 'bill_id>bill',
    folder: 'bills',
    columns: 'bill_id position at paid_minor credited_minor is_void',
  },
  bill_instalment: {
    of: 'bill_id>bill',
    folder: 'bills',
    columns: 'bill_id position due_on from_minor until_minor',
  },
  bill_letterhead: { why: 'operator', columns: 'id brand seller time_zone' },
  bill_line: {
    of: 'bill_id>bill',
    folder: 'bills',
    columns:
      'bill_id position kind subscription_id service_id service_name price_version_id quantity unit unit_price exact_amount amount_minor arithmetic for_month charge term',
  },
  bill_note: {
    of: 'bill_id>bill',
    folder: 'bills',
    only: ['visible_to', 'customer'],
    columns: 'id bill_id visible_to body written_at written_by writer_name',
  },
  bill_parked: { of: 'organization_id', folder: 'bills', columns: 'organization_id month reason parked_at' },
  bill_replacement: { of: 'bill_id>bill', folder: 'bills', columns: 'bill_id replaced_by' },
  bill_series: { why: 'working', columns: 'series last_number late_begins' },
  bill_void: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'bill_id organization_id currency voided_at voided_by voider_name reason net_minor tax_minor to_due_minor to_balance_minor to_prepaid_minor',
  },
  close_run: {
    why: 'operator',
    columns:
      'id month state organizations_total organizations_done issued skipped started_at finished_at started_by kind progress_at stop_asked',
    withheld: 'report',
  },
  commitment: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id organization_id name_zh_tw name_en_us currency services charges usage_only starts_on months period period_months amounts_minor committed_percent overage_percent last_month created_at created_by creator_name settlement ended_at ended_by ender_name end_reason version',
    withheld: 'note',
  },
  commitment_outlook: {
    why: 'working',
    columns: 'commitment_id period used_minor expected_minor true_up_minor risk at',
  },
  commitment_period: {
    of: 'commitment_id>commitment',
    folder: 'terms',
    isOfPayer: true,
    columns: 'commitment_id period drawn_minor true_up_minor settlements',
  },
  commitment_use: {
    of: 'commitment_id>commitment',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'commitment_id bill_id bill_number month period drawn_minor true_up_minor is_settlement at released_at draws',
  },
  consolidated_bill: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id organization_id month currency supplement series sequence number issued_at due_at total_minor',
  },
  consolidated_bill_part: {
    of: 'consolidated_id>consolidated_bill',
    folder: 'bills',
    columns: 'consolidated_id bill_id position',
  },
  consolidated_series: { why: 'working', columns: 'series last_number' },
  credit_check: { why: 'working', columns: 'id organization_id' },
  credit_cover: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns: 'organization_id service_id stopped_at warned_at told_at checked_at',
  },
  credit_grant: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id organization_id kind origin name_zh_tw name_en_us amount_minor currency priority services usage_only starts_on last_month recurs rolls_over created_at created_by creator_name withdrawn_at withdrawn_by withdrawer_name withdrawal_reason version granted_minor used_minor expired_minor withdrawn_minor remaining_minor charges',
    withheld: 'note',
  },
  credit_movement: {
    of: 'grant_id>credit_grant',
    folder: 'terms',
    isOfPayer: true,
    columns: 'id grant_id kind month minor bill_id bill_number at by_id by_name',
  },
  credit_note: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id bill_id organization_id currency series sequence number issued_at issued_by issuer_name reason net_minor tax_minor total_minor to_due_minor to_balance_minor content_hash',
  },
  credit_note_line: {
    of: 'credit_note_id>credit_note',
    folder: 'bills',
    columns: 'credit_note_id bill_id position net_minor tax_minor',
  },
  credit_series: { why: 'working', columns: 'series last_number' },
  credit_top_up: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'organization_id currency threshold_minor amount_minor monthly_cap_minor warn_below_minor warned_at changed_at changed_by',
  },
  interim_threshold: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns: 'id organization_id currency amount_minor set_by set_at',
  },
  ledger_account: {
    of: 'organization_id',
    folder: 'bills',
    isOfPayer: true,
    columns: 'id kind organization_id currency balance_minor',
  },
  ledger_entry: {
    of: 'account_id>ledger_account',
    folder: 'bills',
    isOfPayer: true,
    columns: 'transaction_id position account_id currency amount_minor',
  },
  ledger_transaction: {
    of: 'id>ledger_entry.transaction_id',
    folder: 'bills',
    isOfPayer: true,
    columns: 'id kind reference at written_in',
  },
  minimum_spend: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id organization_id currency amount_minor from_on until_on created_by created_at ended_by ended_at',
  },
  month_closed: {
    of: 'organization_id',
    folder: 'bills',
    columns: 'organization_id month closed_at is_released',
  },
  one_off_charge: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id organization_id subscription_id kind name quantity unit_price currency amount_minor charge_on billing state version created_by created_at approved_by approved_at bill_id bill_number origin taxed_as credited_reason',
    withheld: 'note',
  },
  one_off_step: {
    of: 'one_off_id>one_off_charge',
    folder: 'terms',
    isOfPayer: true,
    columns: 'one_off_id version step at by bill_number',
    withheld: 'reason',
  },
  organization_payer: {
    of: 'organization_id',
    folder: 'bills',
    isOfPayer: true,
    columns: 'id organization_id from_month payer_id set_by set_at',
  },
  payer_billing: {
    of: 'organization_id',
    folder: 'bills',
    columns: 'organization_id from_month is_consolidated set_by set_at',
  },
  subscription_payer: {
    of: 'organization_id',
    folder: 'bills',
    isOfPayer: true,
    columns: 'id subscription_id organization_id from_month payer_id set_by set_at',
  },
  quote: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id series sequence number organization_id currency state latest_version sent_version revision created_by created_at decided_at decided_by decided_from decided_reason made',
  },
  quote_series: { why: 'working', columns: 'series last_number' },
  quote_version: {
    of: 'quote_id>quote',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'quote_id version content offered estimate total_minor valid_until created_by created_at sent_by sent_at expires_at',
    withheld: 'link_salt link_hash',
  },
  reseller: {
    of: 'organization_id',
    folder: 'terms',
    columns: 'organization_id name number_prefix tax_rate due_days instructions stopped_at made_by made_at',
  },
  reseller_brand: {
    of: 'reseller_id',
    folder: 'terms',
    columns: 'reseller_id accent sender_name reply_to logo_id host host_verified_at',
    withheld: 'logo host_challenge',
  },
  resold_organization: {
    of: 'organization_id',
    folder: 'terms',
    columns: 'organization_id from_month reseller_id set_by set_at',
  },
  retail_bill: {
    of: 'organization_id or reseller_id',
    folder: 'bills',
    columns:
      'id kind reseller_id organization_id month currency sequence number issued_at due_at net_minor tax_rate tax_minor total_minor seller buyer paid_on',
    // The reseller's own note about its customer.
    withheld: 'paid_note',
  },
  retail_bill_line: {
    of: 'retail_bill_id>retail_bill',
    folder: 'bills',
    columns:
      'retail_bill_id position kind subscription_id service_id service_name price_version_id quantity unit unit_price exact_amount amount_minor arithmetic for_month charge',
  },
  retail_credit_note: {
    of: 'retail_bill_id>retail_bill',
    folder: 'bills',
    columns:
      'id retail_bill_id reseller_id sequence number reason net_minor tax_minor total_minor issued_by issued_at',
  },
  retail_mark_up: {
    of: 'reseller_id',
    folder: 'terms',
    columns: 'reseller_id from_month mark_ups set_by set_at',
  },
  revenue_recognition: { why: 'operator', columns: 'id organization_id currency month minor at' },
  revenue_schedule: {
    why: 'operator',
    columns: 'bill_id position month source organization_id currency minor recognition_id',
  },
  tax_rate: { why: 'catalogue', columns: 'id country category rate valid_from added_by added_at' },
  vat_check: {
    of: 'organization_id',
    folder: 'organization',
    columns: 'id organization_id vat_id state checked_at request_id name address',
  },
} as const satisfies TableRules;
