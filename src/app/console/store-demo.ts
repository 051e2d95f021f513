// Queries about the demo data, and the statements that remove it.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DemoData } from './contract.ts';

/**
 * Tables whose rows all belong to customers; while every customer belongs to the demo they can be emptied.
 * The order does not matter. Every table is either here, in {@link retainedTables} or in {@link
 * partlyEmptiedTables}; a test checks that none is missing.
 */
export const clearedTables = [
  'automatic_payment',
  'bank_application',
  'bank_payer',
  'bank_row',
  'bank_statement',
  'bill',
  'bill_collection',
  'bill_due_change',
  'bill_instalment',
  'bill_letterhead',
  'bill_line',
  'bill_note',
  'bill_parked',
  'bill_replacement',
  'bill_series',
  'bill_void',
  'books_check',
  'budget',
  'budget_told',
  'card_customer',
  'card_setup',
  'card_top_up',
  'card_top_up_attempt',
  'card_top_up_consent',
  'close_run',
  'collection_attempt',
  'collection_switch',
  'commitment',
  'commitment_outlook',
  'commitment_period',
  'commitment_use',
  'connector_pull',
  'connector_resource',
  'connector_waiting',
  'consolidated_bill',
  'consolidated_bill_part',
  'consolidated_series',
  'cost_import',
  'cost_import_total',
  'cost_line',
  'cost_period',
  'cost_rate',
  'cost_scope',
  'cost_sold',
  'credit_check',
  'credit_cover',
  'credit_grant',
  'credit_limit_check',
  'credit_limit_state',
  'credit_movement',
  'credit_note',
  'credit_note_line',
  'credit_series',
  'credit_top_up',
  'discount_application',
  'discount_redemption',
  'dunning_exemption',
  'dunning_extension',
  'dunning_hold',
  'dunning_rehearsal',
  'dunning_release',
  'dunning_step',
  'einvoice',
  'einvoice_allowance',
  'einvoice_attempt',
  'einvoice_bill',
  'einvoice_preference',
  'event_stream_position',
  'event_stream_rejected',
  'import',
  'import_row',
  'journal_export',
  'journal_exported',
  'journal_file',
  'journal_line',
  'journal_voucher',
  'late_fee',
  'late_fee_progress',
  'late_usage',
  'ledger_account',
  'ledger_entry',
  'ledger_transaction',
  'licence',
  'metric_cohort',
  'metric_first',
  'metric_month',
  'metric_movement',
  'metric_plan_run',
  'metric_planned',
  'metric_planned_customer',
  'metric_proof',
  'metric_revenue',
  'metric_stale',
  'metric_subscription',
  'minimum_spend',
  'month_closed',
  'month_pack',
  'notification',
  'notification_deleted',
  'notification_digest',
  'one_off_charge',
  'one_off_step',
  'organization_payer',
  'payer_billing',
  'payment',
  'payment_dispute',
  'payment_dispute_move',
  'payment_plan',
  'payment_plan_bill',
  'payment_plan_instalment',
  'payment_plan_part',
  'payment_refund',
  'payment_refusal',
  'personal_export',
  'price_override',
  'price_override_segment',
  'provider_event',
  'quota_month',
  'quota_raise',
  'quota_reservation',
  'quota_status',
  'quote',
  'quote_series',
  'quote_version',
  'reconciliation_finding',
  'reconciliation_ignored',
  'reconciliation_missing',
  'reconciliation_run',
  'reconciliation_source',
  'reconciliation_total',
  'rejected_event',
  'rejected_event_overflow',
  'reseller',
  'reseller_brand',
  'resold_organization',
  'retail_bill',
  'retail_bill_line',
  'retail_credit_note',
  'retail_mark_up',
  'revenue_recognition',
  'revenue_schedule',
  'saved_card',
  'subscription',
  'subscription_hold',
  'subscription_pause',
  'subscription_payer',
  'subscription_phase',
  'subscription_suspension',
  'subscription_term',
  'subscription_transition',
  'usage_day',
  'usage_dimension_hour',
  'usage_distinct',
  'usage_distinct_hour',
  'usage_event',
  'usage_hour',
  'usage_key',
  'usage_level_hour',
  'usage_month',
  'usage_sample',
  'usage_verdict',
  'usage_void',
  'vat_check',
  'webhook_attempt',
  'webhook_delivery',
  'webhook_endpoint',
] as const;

/**
 * Tables from which only rows of customers and of the demo's users, services and meters are deleted, directly
 * or by a cascade.
 */
export const partlyEmptiedTables = [
  'account_email',
  'account_link',
  'api_key',
  'app_user',
  'authenticator',
  'avatar',
  'company_request',
  'company_ticket',
  'credit_limit',
  'custom_role',
  'device_login',
  'external_identity',
  'identity_provider',
  'identity_provider_group',
  'interim_threshold',
  'invitation',
  'known_device',
  'link_request',
  'live_ticket_used',
  'mail_domain',
  'notification_preference',
  'meter',
  'organization',
  'passkey',
  'passkey_challenge',
  'portal_link',
  'price_version',
  'push_subscription',
  'reconciliation_price',
  'recovery_code',
  'row_count',
  'saved_view',
  'scim_group',
  'scim_member',
  'scim_user',
  'service',
  'service_meter',
  'service_facet',
  'service_interest',
  'service_tag',
  'service_tax',
  'session',
  'session_policy',
  'session_used_token',
  'used_assertion',
  'view_as',
] as const;

/**
 * The operator's own tables: settings, keys, backups, logs. The numbers of sources and dimensions only
 * stand for their names.
 */
export const retainedTables = [
  'announcement',
  'approval',
  'attempt',
  'audit_head',
  'audit_export',
  'audit_log',
  'audit_redaction',
  'backup',
  'data_export',
  'bank_mapping',
  'connector',
  'console_process',
  'cost_source',
  'discount',
  'einvoice_track',
  'erasure',
  'event_stream',
  'exchange_rate',
  'fault',
  'idempotency_key',
  'installation_secrets',
  'journal_mapping',
  'last_write',
  'late_fee_terms',
  'licence_key',
  'outbox',
  'rate_window',
  'reconciliation_setting',
  'sandbox',
  'schema_migration',
  'setting',
  'tax_rate',
  'usage_archive',
  'usage_archive_part',
  'usage_dimension_value',
  'usage_source',
  'used_id_token',
  'user_batch',
  'user_batch_row',
  'user_import',
  'user_import_row',
] as const;

/** Counts the demo data, and the organizations outside it. `refs` are the references in the demo file. */
export async function demoCounts(ctx: Ctx, refs: readonly string[]): Promise<DemoData> {
  const { rows } = await sql<
    Record<keyof DemoData, bigint>
  >`select (select count(*) from organization where external_ref = any(${refs})) as organizations,
    (select count(*) from organization where external_ref is null or external_ref <> all(${refs})) as others, (select count(*) from service where external_ref = any(${refs})) as services,
    rows_counted('subscription', '', '') as subscriptions, rows_counted('bill', '', '') as bills, (select count(*) from app_user where role <> 'Admin') as people`.execute(
    ctx.db,
  );
  const [row] = rows;
  return {
    organizations: Number(row?.organizations ?? 0n),
    others: Number(row?.others ?? 0n),
    services: Number(row?.services ?? 0n),
    subscriptions: Number(row?.subscriptions ?? 0n),
    bills: Number(row?.bills ?? 0n),
    people: Number(row?.people ?? 0n),
  };
}

/** Locks out registrations, imports and billing until this unit ends. */
export async function holdCustomers(ctx: Ctx): Promise<void> {
  await sql`lock table organization in access exclusive mode`.execute(ctx.db);
}

/**
 * Empties the customers' tables and deletes the demo's users, services with their meters, and organizations.
 * The caller holds the lock and has checked that there are no other customers.
 */
export async function removeDemo(ctx: Ctx, refs: readonly string[]): Promise<void> {
  const tables = sql.join(clearedTables.map((table) => sql.table(table)));
  // The triggers that forbid changes to the books are disabled, because the books are emptied as a whole.
  for (const table of clearedTables)
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(ctx.db);
  await sql`truncate ${tables} restart identity`.execute(ctx.db);
  for (const table of clearedTables)
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(ctx.db);
  await sql`delete from row_count where relation = any(${[...clearedTables]})`.execute(ctx.db);
  await sql`delete from view_as where user_id in (select id from app_user where role <> 'Admin')`.execute(
    ctx.db,
  );
  await sql`delete from app_user where role <> 'Admin'`.execute(ctx.db);
  await sql`delete from api_key where organization_id is not null`.execute(ctx.db);
  const { rows } = await sql<{
    id: string;
  }>`select distinct u.meter_id as id from service_meter u join service s on s.id = u.service_id where s.external_ref = any(${refs})`.execute(
    ctx.db,
  );
  await sql`delete from service where external_ref = any(${refs})`.execute(ctx.db);
  // Deletes the meters of the demo's services, except those that a service of the operator uses as well.
  await sql`delete from meter where id = any(${rows.map((row) => row.id)}::text[]) and services = 0`.execute(
    ctx.db,
  );
  // Settings that apply to all organizations are the operator's own.
  await sql`delete from interim_threshold where organization_id is not null`.execute(ctx.db);
  await sql`delete from credit_limit where organization_id is not null`.execute(ctx.db);
  await sql`delete from organization`.execute(ctx.db);
}
