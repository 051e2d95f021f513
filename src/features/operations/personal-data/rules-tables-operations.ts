// Which data of reports and the console itself may leave the console, and to whom it belongs.
import type { TableRules } from './rules-table.ts';

export const operationsTables = {
  backup: {
    why: 'operator',
    columns:
      'id state cause asked_at asked_by heard_at stop_asked begun_at finished_at phase rows_done rows_total file_name size_bytes proof removed_at',
    withheld: 'content differences problem',
  },
  books_check: {
    of: 'organization_id',
    folder: 'bills',
    columns: 'id organization_id state asked_at asked_by heard_at finished_at expected checks problem',
  },
  console_process: {
    why: 'operator',
    columns: 'id host process_id version address started_at heard_at clock_ahead_ms memory_bytes clients',
  },
  data_export: {
    why: 'operator',
    columns:
      'id state cause attempt asked_at asked_by heard_at stop_asked begun_at finished_at place folder files_done files_total rows_done size_bytes snapshot_at read_from events_through removed_at failure_code failure_detail',
  },
  exchange_rate: {
    why: 'catalogue',
    columns: 'id currency against day version rate source set_at set_by setter_name',
  },
  fault: { why: 'operator', columns: 'id at source place request_id', withheld: 'message' },
  idempotency_key: {
    why: 'secrets',
    columns: '',
    withheld: 'actor key route request_hash status answer created_at',
  },
  installation_secrets: { why: 'secrets', columns: '', withheld: 'is_only fingerprint sealed changed_at' },
  journal_export: {
    why: 'operator',
    columns:
      'id period sequence first_day last_day time_zone language settings vouchers lines transactions digest made_at made_by maker_name withdrawn_at withdrawn_by withdrawer_name withdrawal_reason',
  },
  journal_exported: { why: 'operator', columns: 'transaction_id export_id' },
  journal_file: {
    why: 'operator',
    columns: 'id export_id format encoding currency part digest bytes taken_at taken_by taker_name',
  },
  journal_line: {
    why: 'operator',
    columns:
      'export_id voucher position account_kind tax_rate service_id code name department tax_name summary debit_minor credit_minor',
  },
  journal_mapping: {
    why: 'operator',
    columns:
      'id account_kind currency tax_rate service_id code name department tax_name changed_at changed_by',
  },
  journal_voucher: {
    why: 'operator',
    columns: 'export_id position number day kind currency summary transactions total_minor',
  },
  last_write: { why: 'working', columns: 'caller place at' },
  licence: {
    of: 'organization_id',
    folder: 'services',
    columns:
      'id subscription_id organization_id service_id key_id machine renews file issued_at issued_by expires_at revoked_at revoked_by revoke_reason revocation',
    withheld: 'sha256',
  },
  licence_key: { why: 'operator', columns: 'id public_key made_at made_by retired_at', withheld: 'sealed' },
  metric_cohort: { why: 'operator', columns: 'currency first_no month_no customers minor' },
  metric_first: { why: 'operator', columns: 'currency organization_id month_no' },
  metric_month: {
    why: 'operator',
    columns: 'currency month_no customers recurring_minor usage_minor once_minor',
  },
  metric_movement: { why: 'operator', columns: 'currency month_no kind customers minor' },
  metric_plan_run: { why: 'operator', columns: 'id last_no worked_out_at took_ms' },
  metric_planned: { why: 'operator', columns: 'currency month_no minor' },
  metric_planned_customer: { why: 'operator', columns: 'currency month_no organization_id minor' },
  metric_proof: { why: 'operator', columns: 'currency months_minor ledger_minor worked_out_at' },
  metric_revenue: {
    why: 'operator',
    columns: 'currency month_no organization_id recurring_minor usage_minor once_minor',
  },
  metric_stale: { why: 'working', columns: 'id month' },
  metric_subscription: {
    why: 'operator',
    columns: 'currency month_no organization_id subscription_id minor',
  },
  month_pack: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id organization_id month language state asked_at asked_by heard_at stop_asked finished_at documents_total documents_done size_bytes totals kept_until problem',
    withheld: 'file_name',
  },
  outbox: {
    why: 'secrets',
    columns: '',
    withheld: 'id kind key payload attempts created_at due_at sent_at parked_at last_error',
  },
  rate_window: { why: 'working', columns: 'ends_at calls', withheld: 'key' },
  row_count: { why: 'working', columns: 'relation key1 key2 shard count' },
  schema_migration: { why: 'operator', columns: 'name checksum applied_at' },
  setting: { why: 'operator', columns: 'key changed_at changed_by', withheld: 'value' },
  erasure: {
    why: 'operator',
    columns:
      'id kind organization_id user_id state reason asked_at asked_by finished_at counts remains backups_until books_until checked_at',
    withheld: 'terms certificate signature',
  },
  personal_export: {
    of: 'organization_id',
    folder: 'audit',
    columns:
      'id organization_id language state asked_at asked_by heard_at stop_asked finished_at files_total files_done rows_done size_bytes kept_until problem',
    withheld: 'file_name file_key',
  },
  sandbox: {
    why: 'operator',
    columns:
      'id name state start_at clock_at copies_catalogue move_from move_to move_state customers bills mails last_used_at noticed_at created_by created_at',
    withheld: 'database_name next_database mover alive_at',
  },
} as const satisfies TableRules;
