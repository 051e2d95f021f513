// Which data of services, usage and messages may leave the console, and to whom it belongs.
import type { TableRules } from './rules-table.ts';

export const sellingTables = {
  announcement: {
    of: 'organization_id',
    folder: 'messages',
    columns:
      'id title_zh title_en text_zh text_en severity link audience audience_role organization_id service_id audience_name state send_at sent_through finished_at created_at created_by author',
    withheld: 'reached expected',
  },
  budget: {
    of: 'organization_id',
    folder: 'usage',
    columns: 'id organization_id service_id name amount currency thresholds created_by created_at',
  },
  budget_told: { of: 'budget_id>budget', folder: 'usage', columns: 'budget_id month kind threshold told_at' },
  connector: {
    why: 'operator',
    columns:
      'id name is_paused window_seconds settle_seconds mapping read_until has_read next_pull_at last_pull_at failing_since failures failure_code backfill_from backfill_until retries_asked retries_done events version created_at',
    withheld: 'address options credential_kind credentials failure_detail',
  },
  connector_pull: {
    why: 'operator',
    columns:
      'id connector_id kind start_at end_at ended_at readings accepted duplicates differing waiting ignored failure_code',
    withheld: 'failure_detail',
  },
  connector_resource: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'connector_id resource subscription_id assigned_to is_ignored fields first_seen_at last_seen_at',
  },
  connector_waiting: {
    why: 'operator',
    columns: 'connector_id resource start_at end_at reason code',
    withheld: 'fields params',
  },
  cost_import: {
    why: 'costs',
    columns:
      'id source_id name state format bytes bytes_read rows attempt claimed_until failure_code failure_row failure_column created_at ended_at assumed_rows assumed_currency',
    withheld: 'files digest failure_params',
  },
  cost_import_total: {
    why: 'costs',
    columns: 'import_id period_start period_end currency billed effective list rows',
  },
  cost_line: {
    why: 'costs',
    columns:
      'import_id period_start period_end scope_id day service kind currency billed effective list rows',
  },
  cost_period: {
    why: 'costs',
    columns: 'source_id period_start period_end import_id version imported_at sold_terms totals',
  },
  cost_rate: { why: 'costs', columns: 'source_id period_start from_currency to_currency rate as_of set_at' },
  cost_scope: {
    why: 'costs',
    columns: 'id source_id provider account sub_account sub_account_name resource_group tags',
    withheld: 'digest',
  },
  cost_sold: {
    why: 'costs',
    columns:
      'source_id period_start subscription_id service day cost_currency cost sold sold_currency cost_sold_currency revision event_value event_at reason',
  },
  cost_source: {
    why: 'costs',
    columns:
      'id name is_paused next_pull_at last_pull_at failures failure_code version terms created_at assumed_currency',
    withheld: 'place secret rules selling failure_detail',
  },
  discount: {
    why: 'catalogue',
    columns:
      'id name_zh_tw name_en_us percent amount maximum currency duration months until scope code redeemable_until max_redemptions max_per_organization audience organization_ids archived_at created_by created_at version',
  },
  discount_application: {
    of: 'redemption_id>discount_redemption',
    folder: 'terms',
    isOfPayer: true,
    columns: 'redemption_id bill_id bill_number month currency minor voided_at',
  },
  discount_redemption: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id discount_id organization_id subscription_id redeemed_at redeemed_by first_month ended_at version',
  },
  event_stream: {
    why: 'operator',
    columns:
      'id name format start is_paused holder held_until is_connected lag messages events duplicates rate_minute rate_count rate_before last_message_at failing_since failures failure_code next_try_at version created_at',
    withheld: 'address authority options credential_kind credentials expression failure_detail',
  },
  event_stream_position: { why: 'operator', columns: 'stream_id partition next_offset' },
  event_stream_rejected: {
    why: 'operator',
    columns: 'id stream_id position position_id place topic code is_complete sent_at received_at',
    withheld: 'params payload',
  },
  import: {
    why: 'operator',
    columns: 'id file_name state rows_total rows_done created_at created_by finished_at',
    withheld: 'content report failure',
  },
  import_row: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'source row_id month currency subscription_id list_cost exact_cost refused_code',
  },
  late_usage: { why: 'working', columns: 'subscription_id month version changed_at' },
  meter: {
    why: 'catalogue',
    columns:
      'id key name event_type aggregation aggregation_property percentile sample_minutes unit dimensions filter data_schema services version created_at',
  },
  notification: {
    of: 'user_id>app_user',
    folder: 'messages',
    columns:
      'id user_id kind type category subject period text_key params link created_at read_at is_read search_text channels reader_organization_id',
  },
  notification_deleted: {
    of: 'user_id>app_user',
    folder: 'messages',
    columns:
      'id user_id kind type category subject period text_key params link created_at read_at search_text channels reader_organization_id deletion_id deleted_at',
  },
  notification_digest: { why: 'working', columns: 'notification_id user_id due_at mail_key' },
  notification_preference: {
    of: 'user_id>app_user',
    folder: 'messages',
    columns: 'user_id matrix quiet_from quiet_to digest_hour digest_categories changed_at',
  },
  price_override: {
    of: 'organization_id',
    folder: 'terms',
    isOfPayer: true,
    columns:
      'id service_id organization_id effective_from effective_until currency pricing reason created_at created_by only_charges',
  },
  price_override_segment: {
    of: 'override_id>price_override',
    folder: 'terms',
    isOfPayer: true,
    columns: 'id override_id version_id pricing',
  },
  price_version: {
    why: 'catalogue',
    columns: 'id service_id effective_from currency pricing created_at created_by',
  },
  push_subscription: {
    of: 'user_id>app_user',
    folder: 'messages',
    columns: 'id user_id device created_at last_tried_at last_error',
    withheld: 'endpoint p256dh auth',
  },
  quota_month: { of: 'subscription_id>subscription', folder: 'usage', columns: 'subscription_id month held' },
  quota_raise: {
    of: 'organization_id',
    folder: 'usage',
    columns:
      'id subscription_id organization_id state asked_limit reason used_then limit_then asked_by asked_at granted_limit answer decided_by decided_at',
  },
  quota_reservation: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns:
      'id subscription_id month quantity reference state counts_at expires_at used created_at ended_at',
  },
  quota_status: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id month status changed_at limit_value is_recovered',
  },
  reconciliation_finding: {
    why: 'costs',
    columns:
      'id connector_id resource kind cause item_kind name project size billed_size since item_state subscription_id owner_id service_id amount_minor currency first_found_at last_found_at',
    withheld: 'fields',
  },
  reconciliation_ignored: {
    why: 'costs',
    columns: 'id connector_id resource kind reason ignored_by ignored_at undone_by undone_at',
  },
  reconciliation_missing: { why: 'costs', columns: 'connector_id resource missing_since' },
  reconciliation_price: { why: 'costs', columns: 'connector_id item_kind service_id' },
  reconciliation_run: {
    why: 'costs',
    columns: 'id state asked_by asked_at started_at ended_at sources unbilled ghosts differs',
  },
  reconciliation_setting: {
    why: 'operator',
    columns: 'is_only ghost_hours notice_minor notice_currency version',
  },
  reconciliation_source: {
    why: 'costs',
    columns: 'connector_id items read_at failure_code',
    withheld: 'failure_detail',
  },
  reconciliation_total: { why: 'costs', columns: 'run_id kind currency amount_minor' },
  rejected_event: {
    of: 'organization_id or key_organization_id',
    folder: 'usage',
    columns:
      'id organization_id key_organization_id key_id first_received_at last_received_at times source event_id type subject code params raw is_complete state settled_at settled_by repaired',
    withheld: 'digest',
  },
  rejected_event_overflow: {
    of: 'organization_id',
    folder: 'usage',
    columns: 'owner organization_id times last_at',
  },
  service: {
    why: 'catalogue',
    columns:
      'id name type category description status release_state billing_cycle quota_type quota_limit features tags popular recommended event_type aggregation aggregation_property unit external_ref created_at proration trial_days family version data_schema meter_id add_on_to quota_meter requires_prepaid_credit',
  },
  service_facet: { why: 'catalogue', columns: 'status type category release_state count' },
  service_interest: { of: 'user_id>app_user', folder: 'services', columns: 'service_id user_id created_at' },
  service_meter: { why: 'catalogue', columns: 'service_id meter_id' },
  service_tag: { why: 'catalogue', columns: 'tag count' },
  service_tax: { why: 'catalogue', columns: 'service_id category set_by set_at' },
  subscription: {
    of: 'organization_id',
    folder: 'services',
    columns:
      'id organization_id service_id state started_at ends_at created_at quantity trial_ends_at auto_renew version next_step_at held_state parent_id',
  },
  subscription_hold: {
    of: 'organization_id',
    folder: 'services',
    columns: 'organization_id level since',
    withheld: 'admin_reason',
  },
  subscription_pause: {
    of: 'subscription_id>subscription',
    folder: 'services',
    columns: 'subscription_id position from_at until_at is_begun is_over',
  },
  subscription_phase: {
    of: 'subscription_id>subscription',
    folder: 'services',
    columns: 'subscription_id position from_at service_id quantity year_anchor is_applied charge_quantities',
  },
  subscription_suspension: {
    of: 'subscription_id>subscription',
    folder: 'services',
    columns: 'subscription_id position from_at until_at',
  },
  subscription_term: {
    of: 'subscription_id>subscription',
    folder: 'services',
    columns: 'subscription_id starts_at ends_at noted_at',
  },
  subscription_transition: {
    of: 'subscription_id>subscription',
    folder: 'services',
    columns: 'subscription_id at position from_state to_state actor reason detail said',
  },
  usage_archive: { why: 'operator', columns: 'id month kind moved_from begun_at completed_at' },
  usage_archive_part: {
    why: 'operator',
    columns:
      'archive_id number name event_count bytes digest first_subscription_id last_subscription_id last_time last_source_id last_event_id',
  },
  usage_day: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id day event_count sum max last_value last_at last_event meter cell min',
  },
  usage_dimension_hour: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id hour dimension value event_count sum max last_value last_at last_event',
  },
  usage_dimension_value: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id month dimension value',
  },
  usage_distinct: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id month value meter cell',
  },
  usage_distinct_hour: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id hour value meter cell',
  },
  usage_event: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns:
      'source_id event_id subscription_id time value received_at key_id properties voided_source_id voided_event_id type',
  },
  usage_hour: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns:
      'subscription_id hour event_count sum max last_value last_at last_event void_count meter cell min',
  },
  usage_key: { why: 'working', columns: 'source_id event_id time', withheld: 'digest' },
  usage_level_hour: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id hour first_at area last_value last_at meter cell',
  },
  usage_month: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns:
      'subscription_id month event_count sum max last_value last_at last_event distinct_count meter cell min',
  },
  usage_sample: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id meter cell start sum',
  },
  usage_source: { of: 'organization_id', folder: 'usage', columns: 'id organization_id source' },
  usage_verdict: {
    of: 'subscription_id>subscription',
    folder: 'usage',
    columns: 'subscription_id day verdict judged_by judged_at',
  },
  usage_void: {
    of: 'by_source_id>usage_source',
    folder: 'usage',
    columns: 'source_id event_id by_source_id by_event_id',
  },
  webhook_attempt: {
    of: 'delivery_id>webhook_delivery',
    folder: 'programs',
    columns: 'delivery_id number at status failure detail ms answer',
  },
  webhook_delivery: {
    of: 'endpoint_id>webhook_endpoint',
    folder: 'programs',
    columns:
      'id endpoint_id event_key event_type body state created_at began_at tries attempts next_attempt_at last_status last_failure last_attempt_at',
  },
  webhook_endpoint: {
    of: 'organization_id',
    folder: 'programs',
    columns:
      'id organization_id url description event_types is_on off_reason previous_until failing_since last_delivered_at failed_turns rests_until busy_until wakes_at created_at created_by',
    withheld: 'secret secret_hint previous_secret',
  },
} as const satisfies TableRules;
