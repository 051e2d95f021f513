// The tables of the migrated database, as Kysely knows them. Written by `npm run tables`; never by hand.
import type { Generated, GeneratedAlways } from 'kysely';

/** Every table of the console, by its name. */
export type Tables = {
  account_email: AccountEmailTable;
  account_link: AccountLinkTable;
  announcement: AnnouncementTable;
  api_key: ApiKeyTable;
  app_user: AppUserTable;
  approval: ApprovalTable;
  attempt: AttemptTable;
  audit_export: AuditExportTable;
  audit_head: AuditHeadTable;
  audit_log: AuditLogTable;
  audit_redaction: AuditRedactionTable;
  authenticator: AuthenticatorTable;
  automatic_payment: AutomaticPaymentTable;
  avatar: AvatarTable;
  backup: BackupTable;
  bank_application: BankApplicationTable;
  bank_mapping: BankMappingTable;
  bank_payer: BankPayerTable;
  bank_row: BankRowTable;
  bank_statement: BankStatementTable;
  bill: BillTable;
  bill_collection: BillCollectionTable;
  bill_due_change: BillDueChangeTable;
  bill_instalment: BillInstalmentTable;
  bill_letterhead: BillLetterheadTable;
  bill_line: BillLineTable;
  bill_note: BillNoteTable;
  bill_parked: BillParkedTable;
  bill_replacement: BillReplacementTable;
  bill_series: BillSeriesTable;
  bill_void: BillVoidTable;
  books_check: BooksCheckTable;
  budget: BudgetTable;
  budget_told: BudgetToldTable;
  card_customer: CardCustomerTable;
  card_setup: CardSetupTable;
  card_top_up: CardTopUpTable;
  card_top_up_attempt: CardTopUpAttemptTable;
  card_top_up_consent: CardTopUpConsentTable;
  close_run: CloseRunTable;
  collection_attempt: CollectionAttemptTable;
  collection_switch: CollectionSwitchTable;
  commitment: CommitmentTable;
  commitment_outlook: CommitmentOutlookTable;
  commitment_period: CommitmentPeriodTable;
  commitment_use: CommitmentUseTable;
  company_request: CompanyRequestTable;
  company_ticket: CompanyTicketTable;
  connector: ConnectorTable;
  connector_pull: ConnectorPullTable;
  connector_resource: ConnectorResourceTable;
  connector_waiting: ConnectorWaitingTable;
  console_process: ConsoleProcessTable;
  consolidated_bill: ConsolidatedBillTable;
  consolidated_bill_part: ConsolidatedBillPartTable;
  consolidated_series: ConsolidatedSeriesTable;
  cost_import: CostImportTable;
  cost_import_total: CostImportTotalTable;
  cost_line: CostLineTable;
  cost_period: CostPeriodTable;
  cost_rate: CostRateTable;
  cost_scope: CostScopeTable;
  cost_sold: CostSoldTable;
  cost_source: CostSourceTable;
  credit_check: CreditCheckTable;
  credit_cover: CreditCoverTable;
  credit_grant: CreditGrantTable;
  credit_limit: CreditLimitTable;
  credit_limit_check: CreditLimitCheckTable;
  credit_limit_state: CreditLimitStateTable;
  credit_movement: CreditMovementTable;
  credit_note: CreditNoteTable;
  credit_note_line: CreditNoteLineTable;
  credit_series: CreditSeriesTable;
  credit_top_up: CreditTopUpTable;
  custom_role: CustomRoleTable;
  data_export: DataExportTable;
  device_login: DeviceLoginTable;
  discount: DiscountTable;
  discount_application: DiscountApplicationTable;
  discount_redemption: DiscountRedemptionTable;
  dunning_exemption: DunningExemptionTable;
  dunning_extension: DunningExtensionTable;
  dunning_hold: DunningHoldTable;
  dunning_rehearsal: DunningRehearsalTable;
  dunning_release: DunningReleaseTable;
  dunning_step: DunningStepTable;
  einvoice: EinvoiceTable;
  einvoice_allowance: EinvoiceAllowanceTable;
  einvoice_attempt: EinvoiceAttemptTable;
  einvoice_bill: EinvoiceBillTable;
  einvoice_preference: EinvoicePreferenceTable;
  einvoice_track: EinvoiceTrackTable;
  erasure: ErasureTable;
  event_stream: EventStreamTable;
  event_stream_position: EventStreamPositionTable;
  event_stream_rejected: EventStreamRejectedTable;
  exchange_rate: ExchangeRateTable;
  external_identity: ExternalIdentityTable;
  fault: FaultTable;
  idempotency_key: IdempotencyKeyTable;
  identity_provider: IdentityProviderTable;
  identity_provider_group: IdentityProviderGroupTable;
  import: ImportTable;
  import_row: ImportRowTable;
  installation_secrets: InstallationSecretsTable;
  interim_threshold: InterimThresholdTable;
  invitation: InvitationTable;
  journal_export: JournalExportTable;
  journal_exported: JournalExportedTable;
  journal_file: JournalFileTable;
  journal_line: JournalLineTable;
  journal_mapping: JournalMappingTable;
  journal_voucher: JournalVoucherTable;
  known_device: KnownDeviceTable;
  last_write: LastWriteTable;
  late_fee: LateFeeTable;
  late_fee_progress: LateFeeProgressTable;
  late_fee_terms: LateFeeTermsTable;
  late_usage: LateUsageTable;
  ledger_account: LedgerAccountTable;
  ledger_entry: LedgerEntryTable;
  ledger_transaction: LedgerTransactionTable;
  licence: LicenceTable;
  licence_key: LicenceKeyTable;
  link_request: LinkRequestTable;
  live_ticket_used: LiveTicketUsedTable;
  mail_domain: MailDomainTable;
  meter: MeterTable;
  metric_cohort: MetricCohortTable;
  metric_first: MetricFirstTable;
  metric_month: MetricMonthTable;
  metric_movement: MetricMovementTable;
  metric_plan_run: MetricPlanRunTable;
  metric_planned: MetricPlannedTable;
  metric_planned_customer: MetricPlannedCustomerTable;
  metric_proof: MetricProofTable;
  metric_revenue: MetricRevenueTable;
  metric_stale: MetricStaleTable;
  metric_subscription: MetricSubscriptionTable;
  minimum_spend: MinimumSpendTable;
  month_closed: MonthClosedTable;
  month_pack: MonthPackTable;
  notification: NotificationTable;
  notification_deleted: NotificationDeletedTable;
  notification_digest: NotificationDigestTable;
  notification_preference: NotificationPreferenceTable;
  one_off_charge: OneOffChargeTable;
  one_off_step: OneOffStepTable;
  organization: OrganizationTable;
  organization_payer: OrganizationPayerTable;
  outbox: OutboxTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  payer_billing: PayerBillingTable;
  payment: PaymentTable;
  payment_dispute: PaymentDisputeTable;
  payment_dispute_move: PaymentDisputeMoveTable;
  payment_plan: PaymentPlanTable;
  payment_plan_bill: PaymentPlanBillTable;
  payment_plan_instalment: PaymentPlanInstalmentTable;
  payment_plan_part: PaymentPlanPartTable;
  payment_refund: PaymentRefundTable;
  payment_refusal: PaymentRefusalTable;
  personal_export: PersonalExportTable;
  portal_link: PortalLinkTable;
  price_override: PriceOverrideTable;
  price_override_segment: PriceOverrideSegmentTable;
  price_version: PriceVersionTable;
  provider_event: ProviderEventTable;
  push_subscription: PushSubscriptionTable;
  quota_month: QuotaMonthTable;
  quota_raise: QuotaRaiseTable;
  quota_reservation: QuotaReservationTable;
  quota_status: QuotaStatusTable;
  quote: QuoteTable;
  quote_series: QuoteSeriesTable;
  quote_version: QuoteVersionTable;
  rate_window: RateWindowTable;
  reconciliation_finding: ReconciliationFindingTable;
  reconciliation_ignored: ReconciliationIgnoredTable;
  reconciliation_missing: ReconciliationMissingTable;
  reconciliation_price: ReconciliationPriceTable;
  reconciliation_run: ReconciliationRunTable;
  reconciliation_setting: ReconciliationSettingTable;
  reconciliation_source: ReconciliationSourceTable;
  reconciliation_total: ReconciliationTotalTable;
  recovery_code: RecoveryCodeTable;
  rejected_event: RejectedEventTable;
  rejected_event_overflow: RejectedEventOverflowTable;
  reseller: ResellerTable;
  reseller_brand: ResellerBrandTable;
  resold_organization: ResoldOrganizationTable;
  retail_bill: RetailBillTable;
  retail_bill_line: RetailBillLineTable;
  retail_credit_note: RetailCreditNoteTable;
  retail_mark_up: RetailMarkUpTable;
  revenue_recognition: RevenueRecognitionTable;
  revenue_schedule: RevenueScheduleTable;
  row_count: RowCountTable;
  sandbox: SandboxTable;
  saved_card: SavedCardTable;
  saved_view: SavedViewTable;
  schema_migration: SchemaMigrationTable;
  scim_group: ScimGroupTable;
  scim_member: ScimMemberTable;
  scim_user: ScimUserTable;
  service: ServiceTable;
  service_facet: ServiceFacetTable;
  service_interest: ServiceInterestTable;
  service_meter: ServiceMeterTable;
  service_tag: ServiceTagTable;
  service_tax: ServiceTaxTable;
  session: SessionTable;
  session_policy: SessionPolicyTable;
  session_used_token: SessionUsedTokenTable;
  setting: SettingTable;
  subscription: SubscriptionTable;
  subscription_hold: SubscriptionHoldTable;
  subscription_pause: SubscriptionPauseTable;
  subscription_payer: SubscriptionPayerTable;
  subscription_phase: SubscriptionPhaseTable;
  subscription_suspension: SubscriptionSuspensionTable;
  subscription_term: SubscriptionTermTable;
  subscription_transition: SubscriptionTransitionTable;
  tax_rate: TaxRateTable;
  usage_archive: UsageArchiveTable;
  usage_archive_part: UsageArchivePartTable;
  usage_day: UsageDayTable;
  usage_dimension_hour: UsageDimensionHourTable;
  usage_dimension_value: UsageDimensionValueTable;
  usage_distinct: UsageDistinctTable;
  usage_distinct_hour: UsageDistinctHourTable;
  usage_event: UsageEventTable;
  usage_hour: UsageHourTable;
  usage_key: UsageKeyTable;
  usage_level_hour: UsageLevelHourTable;
  usage_month: UsageMonthTable;
  usage_sample: UsageSampleTable;
  usage_source: UsageSourceTable;
  usage_verdict: UsageVerdictTable;
  usage_void: UsageVoidTable;
  used_assertion: UsedAssertionTable;
  used_id_token: UsedIdTokenTable;
  user_batch: UserBatchTable;
  user_batch_row: UserBatchRowTable;
  user_import: UserImportTable;
  user_import_row: UserImportRowTable;
  vat_check: VatCheckTable;
  view_as: ViewAsTable;
  webhook_attempt: WebhookAttemptTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_endpoint: WebhookEndpointTable;
};

export type AccountEmailTable = {
  must_verify: boolean;
  user_id: string;
  verified_at: Date | null;
};

export type AccountLinkTable = {
  created_at: Date;
  expires_at: Date;
  hash: Buffer;
  purpose: string;
  used_at: Date | null;
  user_id: string;
};

export type AnnouncementTable = {
  audience: string;
  audience_name: string;
  audience_role: string | null;
  author: string;
  created_at: Date;
  created_by: string;
  expected: number | null;
  finished_at: Date | null;
  id: string;
  link: string | null;
  organization_id: string | null;
  reached: Generated<number>;
  send_at: Date | null;
  sent_through: Generated<string>;
  service_id: string | null;
  severity: string;
  state: string;
  text_en: string;
  text_zh: string;
  title_en: string;
  title_zh: string;
};

export type ApiKeyTable = {
  addresses: Generated<string[]>;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  hint: Generated<string>;
  id: string;
  irreversible: Generated<boolean>;
  last_used_at: Date | null;
  name: string;
  organization_id: string | null;
  permissions: Generated<string[]>;
  previous_hash: Buffer | null;
  previous_until: Date | null;
  revoked_at: Date | null;
  rotated_at: Date | null;
  scope: string;
  secret_hash: Buffer;
};

export type AppUserTable = {
  account: string;
  address: Generated<string>;
  created_at: Date;
  custom_role_id: string | null;
  deleted_at: Date | null;
  email_notifications: Generated<boolean>;
  erased_at: Date | null;
  id: string;
  language: string;
  last_sign_in_at: Date | null;
  member_level: Generated<string>;
  name: string;
  organization_id: string | null;
  password_hash: string | null;
  phone: Generated<string>;
  role: string;
  sms_notifications: Generated<boolean>;
  status: Generated<string>;
  status_before: string | null;
  two_factor: Generated<boolean>;
};

export type ApprovalTable = {
  call: string;
  decided_at: Date | null;
  decided_by: string | null;
  ended_at: Date | null;
  expires_at: Date;
  failure_code: string | null;
  failure_params: unknown;
  id: string;
  key_id: string | null;
  note: Generated<string>;
  requested_at: Date;
  requested_by: string;
  sealed_call: Buffer | null;
  sealed_outcome: Buffer | null;
  sealed_secrets: Buffer | null;
  started_at: Date | null;
  state: string;
  subject: string | null;
};

export type AttemptTable = {
  blocked_until: Date;
  failures: number;
  key: string;
  last_at: Date;
};

export type AuditExportTable = {
  claimed_until: Date | null;
  created_at: Date;
  failing_since: Date | null;
  failure_code: string | null;
  failure_detail: string | null;
  failures: Generated<number>;
  id: string;
  is_paused: Generated<boolean>;
  last_sent_at: Date | null;
  name: string;
  next_try_at: Date;
  secret: Buffer | null;
  secret_hint: string;
  sent_hash: Buffer;
  sent_seq: bigint;
  target: unknown;
  version: Generated<number>;
};

export type AuditHeadTable = {
  hash: Buffer;
  one: Generated<boolean>;
  seq: bigint;
};

export type AuditLogTable = {
  action: string;
  actor_id: string | null;
  actor_kind: string;
  at: Date;
  detail: unknown;
  hash: Buffer;
  id: string;
  request_id: string;
  seq: bigint;
  subject: string | null;
};

export type AuditRedactionTable = {
  erasure_id: string;
  seq: bigint;
};

export type AuthenticatorTable = {
  confirmed_at: Date | null;
  created_at: Date;
  last_step: Generated<bigint>;
  seed: Buffer;
  user_id: string;
};

export type AutomaticPaymentTable = {
  changed_at: Date;
  changed_by: string;
  is_on: boolean;
  is_partial: boolean;
  organization_id: string;
};

export type AvatarTable = {
  created_at: Date;
  id: string;
  picture: Buffer;
  user_id: string;
};

export type BackupTable = {
  asked_at: Date;
  asked_by: string;
  begun_at: Date | null;
  cause: string;
  content: unknown;
  differences: Generated<unknown>;
  file_name: string | null;
  finished_at: Date | null;
  heard_at: Date;
  id: string;
  phase: string | null;
  problem: string | null;
  proof: string | null;
  removed_at: Date | null;
  rows_done: Generated<bigint>;
  rows_total: Generated<bigint>;
  size_bytes: bigint | null;
  state: string;
  stop_asked: Generated<boolean>;
};

export type BankApplicationTable = {
  amount_minor: bigint;
  applied_at: Date;
  applied_by: string;
  id: string;
  kind: string;
  organization_id: string;
  part: number;
  payment_id: string | null;
  refund_id: string | null;
  row_id: string;
  undone_at: Date | null;
  undone_by: string | null;
  undone_reason: string | null;
};

export type BankMappingTable = {
  account: string;
  currency: string;
  header_hash: string;
  mapping: unknown;
  used_at: Date;
};

export type BankPayerTable = {
  key: string;
  organization_id: string;
  times: number;
  used_at: Date;
};

export type BankRowTable = {
  account: string;
  amount_minor: bigint;
  balance_minor: bigint | null;
  certainty: string | null;
  currency: string;
  day: string;
  decided_at: Date | null;
  decided_by: string | null;
  id: string;
  ignored_reason: string | null;
  line: number;
  ordinal: number;
  payer_account: string;
  payer_name: string;
  reason: string | null;
  state: string;
  statement_id: string;
  target_id: string | null;
  target_kind: string | null;
  words: string;
};

export type BankStatementTable = {
  account: string;
  closing_minor: bigint | null;
  currency: string;
  encoding: string;
  file_name: string;
  first_day: string | null;
  id: string;
  is_chain_whole: boolean | null;
  last_day: string | null;
  opening_minor: bigint | null;
  refused: unknown;
  refused_total: number;
  rows_known: number;
  rows_new: number;
  rows_total: number;
  uploaded_at: Date;
  uploaded_by: string;
};

export type BillTable = {
  buyer: unknown;
  by_subscription: Generated<boolean>;
  content_hash: string;
  credited_minor: Generated<bigint>;
  currency: string;
  discount_minor: Generated<bigint>;
  document_layout: Generated<number>;
  due_at: Date;
  id: string;
  is_processing: Generated<boolean>;
  issued_at: Date;
  kind: Generated<string>;
  letterhead_id: string | null;
  line_count: number | null;
  month: string;
  net_minor: bigint;
  number: string;
  organization_id: string;
  paid_at: Date | null;
  paid_minor: Generated<bigint>;
  period_end: Date;
  period_start: Date;
  promotional_minor: Generated<bigint>;
  returned_minor: Generated<bigint>;
  sequence: number;
  series: string;
  state: string;
  tax_minor: bigint;
  tax_rate: string;
  taxes: unknown;
  total_minor: bigint;
  true_up_minor: Generated<bigint>;
  used_by_id: string | null;
  used_by_name: string | null;
};

export type BillCollectionTable = {
  attempts: number;
  bill_id: string;
  first_at: Date;
  instalment: number | null;
  next_at: Date | null;
  organization_id: string;
  stopped: string | null;
  tries: number;
};

export type BillDueChangeTable = {
  at: Date;
  bill_id: string;
  credited_minor: bigint;
  is_void: boolean;
  paid_minor: bigint;
  position: GeneratedAlways<number>;
};

export type BillInstalmentTable = {
  bill_id: string;
  due_on: string;
  from_minor: bigint;
  position: number;
  until_minor: bigint;
};

export type BillLetterheadTable = {
  brand: string;
  id: string;
  seller: unknown;
  time_zone: string;
};

export type BillLineTable = {
  amount_minor: bigint;
  arithmetic: unknown;
  bill_id: string;
  charge: unknown;
  exact_amount: string;
  for_month: string | null;
  kind: string;
  position: number;
  price_version_id: string | null;
  quantity: string;
  service_id: string | null;
  service_name: string;
  subscription_id: string | null;
  term: unknown;
  unit: string;
  unit_price: string | null;
};

export type BillNoteTable = {
  bill_id: string;
  body: string;
  id: string;
  visible_to: string;
  writer_name: string;
  written_at: Date;
  written_by: string;
};

export type BillParkedTable = {
  month: string;
  organization_id: string;
  parked_at: Date;
  reason: string;
};

export type BillReplacementTable = {
  bill_id: string;
  replaced_by: string;
};

export type BillSeriesTable = {
  last_number: number;
  late_begins: Generated<number>;
  series: string;
};

export type BillVoidTable = {
  bill_id: string;
  currency: string;
  net_minor: bigint;
  organization_id: string;
  reason: string;
  tax_minor: bigint;
  to_balance_minor: bigint;
  to_due_minor: bigint;
  to_prepaid_minor: Generated<bigint>;
  voided_at: Date;
  voided_by: string;
  voider_name: string;
};

export type BooksCheckTable = {
  asked_at: Date;
  asked_by: string;
  checks: Generated<unknown>;
  expected: Generated<unknown>;
  finished_at: Date | null;
  heard_at: Date;
  id: string;
  organization_id: string | null;
  problem: string | null;
  state: string;
};

export type BudgetTable = {
  amount: bigint;
  created_at: Date;
  created_by: string;
  currency: string;
  id: string;
  name: string;
  organization_id: string;
  service_id: string | null;
  thresholds: number[];
};

export type BudgetToldTable = {
  budget_id: string;
  kind: string;
  month: string;
  threshold: number;
  told_at: Date;
};

export type CardCustomerTable = {
  created_at: Date;
  organization_id: string;
  provider: string;
  reference: string;
};

export type CardSetupTable = {
  asked_at: Date | null;
  checkout_reference: string | null;
  checkout_url: string | null;
  consent: string;
  created_at: Date;
  created_by: string;
  entry_token: string | null;
  id: string;
  language: string;
  organization_id: string;
  provider: string;
  state: string;
};

export type CardTopUpTable = {
  amount_minor: bigint;
  cap_minor: bigint;
  changed_at: Date;
  changed_by: string;
  currency: string;
  is_on: boolean;
  organization_id: string;
  stopped: string | null;
  threshold_minor: bigint;
};

export type CardTopUpAttemptTable = {
  asked_at: Date | null;
  asks: Generated<number>;
  card_id: string;
  code: Generated<string>;
  currency: string;
  organization_id: string;
  payment_id: string;
};

export type CardTopUpConsentTable = {
  consent: string;
  currency: string;
  given_at: Date;
  given_by: string;
  language: string;
  organization_id: string;
};

export type CloseRunTable = {
  finished_at: Date | null;
  id: string;
  issued: Generated<number>;
  kind: Generated<string>;
  month: string;
  organizations_done: Generated<number>;
  organizations_total: Generated<number>;
  progress_at: Date;
  report: unknown;
  skipped: Generated<number>;
  started_at: Date;
  started_by: string;
  state: string;
  stop_asked: Generated<boolean>;
};

export type CollectionAttemptTable = {
  asked_at: Date | null;
  asks: Generated<number>;
  bill_id: string;
  card_id: string;
  code: Generated<string>;
  number: number;
  payment_id: string;
};

export type CollectionSwitchTable = {
  changed_at: Date;
  changed_by: string;
  is_on: boolean;
  organization_id: string;
};

export type CommitmentTable = {
  amounts_minor: bigint[];
  charges: unknown;
  committed_percent: string;
  created_at: Date;
  created_by: string;
  creator_name: string;
  currency: string;
  end_reason: string | null;
  ended_at: Date | null;
  ended_by: string | null;
  ender_name: string | null;
  id: string;
  last_month: string;
  months: number;
  name_en_us: string;
  name_zh_tw: string;
  note: string;
  organization_id: string;
  overage_percent: string;
  period: string;
  period_months: number;
  services: string[] | null;
  settlement: string | null;
  starts_on: string;
  usage_only: boolean;
  version: Generated<bigint>;
};

export type CommitmentOutlookTable = {
  at: Date;
  commitment_id: string;
  expected_minor: bigint;
  period: number;
  risk: string;
  true_up_minor: bigint;
  used_minor: bigint;
};

export type CommitmentPeriodTable = {
  commitment_id: string;
  drawn_minor: bigint;
  period: number;
  settlements: number;
  true_up_minor: bigint;
};

export type CommitmentUseTable = {
  at: Date;
  bill_id: string;
  bill_number: string;
  commitment_id: string;
  drawn_minor: bigint;
  draws: unknown;
  is_settlement: boolean;
  month: string;
  period: number;
  released_at: Date | null;
  true_up_minor: bigint;
};

export type CompanyRequestTable = {
  browser_hash: Buffer;
  expires_at: Date;
  id: string;
  is_test: boolean;
  provider_id: string;
  return_to: string;
  verifier: string;
};

export type CompanyTicketTable = {
  browser_hash: Buffer | null;
  email: string;
  expires_at: Date;
  groups: string[];
  hash: Buffer;
  name: string;
  provider_id: string;
  return_to: string;
  subject: string;
};

export type ConnectorTable = {
  address: string;
  backfill_from: Date | null;
  backfill_until: Date | null;
  created_at: Date;
  credential_kind: string;
  credentials: Buffer | null;
  events: Generated<bigint>;
  failing_since: Date | null;
  failure_code: string | null;
  failure_detail: string | null;
  failures: Generated<number>;
  has_read: Generated<boolean>;
  id: string;
  is_paused: Generated<boolean>;
  last_pull_at: Date | null;
  mapping: unknown;
  name: string;
  next_pull_at: Date;
  options: unknown;
  read_until: Date;
  retries_asked: Generated<number>;
  retries_done: Generated<number>;
  settle_seconds: number;
  version: Generated<number>;
  window_seconds: number;
};

export type ConnectorPullTable = {
  accepted: Generated<number>;
  connector_id: string;
  differing: Generated<number>;
  duplicates: Generated<number>;
  end_at: Date;
  ended_at: Date;
  failure_code: string | null;
  failure_detail: string | null;
  id: string;
  ignored: Generated<number>;
  kind: string;
  readings: Generated<number>;
  start_at: Date;
  waiting: Generated<number>;
};

export type ConnectorResourceTable = {
  assigned_to: string | null;
  connector_id: string;
  fields: unknown;
  first_seen_at: Date;
  is_ignored: Generated<boolean>;
  last_seen_at: Date;
  resource: string;
  subscription_id: string | null;
};

export type ConnectorWaitingTable = {
  code: string | null;
  connector_id: string;
  end_at: Date;
  fields: unknown;
  params: Generated<unknown>;
  reason: string;
  resource: string;
  start_at: Date;
};

export type ConsoleProcessTable = {
  address: string;
  clients: number;
  clock_ahead_ms: number;
  heard_at: Date;
  host: string;
  id: string;
  memory_bytes: bigint;
  process_id: number;
  started_at: Date;
  version: string;
};

export type ConsolidatedBillTable = {
  currency: string;
  due_at: Date;
  id: string;
  issued_at: Date;
  month: string;
  number: string;
  organization_id: string;
  sequence: number;
  series: string;
  supplement: number;
  total_minor: bigint;
};

export type ConsolidatedBillPartTable = {
  bill_id: string;
  consolidated_id: string;
  position: number;
};

export type ConsolidatedSeriesTable = {
  last_number: number;
  series: string;
};

export type CostImportTable = {
  assumed_currency: string | null;
  assumed_rows: Generated<bigint>;
  attempt: Generated<number>;
  bytes: bigint;
  bytes_read: Generated<bigint>;
  claimed_until: Date | null;
  created_at: Date;
  digest: Buffer;
  ended_at: Date | null;
  failure_code: string | null;
  failure_column: string | null;
  failure_params: unknown;
  failure_row: bigint | null;
  files: unknown;
  format: string | null;
  id: string;
  name: string;
  rows: Generated<bigint>;
  source_id: string;
  state: string;
};

export type CostImportTotalTable = {
  billed: string;
  currency: string;
  effective: string;
  import_id: string;
  list: string;
  period_end: string;
  period_start: string;
  rows: bigint;
};

export type CostLineTable = {
  billed: string;
  currency: string;
  day: string;
  effective: string;
  import_id: string;
  kind: string;
  list: string;
  period_end: string;
  period_start: string;
  rows: bigint;
  scope_id: bigint;
  service: string;
};

export type CostPeriodTable = {
  import_id: string;
  imported_at: Date;
  period_end: string;
  period_start: string;
  sold_terms: number;
  source_id: string;
  totals: Generated<unknown>;
  version: number;
};

export type CostRateTable = {
  as_of: string;
  from_currency: string;
  period_start: string;
  rate: string;
  set_at: Date;
  source_id: string;
  to_currency: string;
};

export type CostScopeTable = {
  account: string;
  digest: Buffer;
  id: GeneratedAlways<bigint>;
  provider: string;
  resource_group: string;
  source_id: string;
  sub_account: string;
  sub_account_name: string;
  tags: unknown;
};

export type CostSoldTable = {
  cost: string;
  cost_currency: string;
  cost_sold_currency: string | null;
  day: string;
  event_at: Date | null;
  event_value: string | null;
  period_start: string;
  reason: string | null;
  revision: Generated<number>;
  service: string;
  sold: string | null;
  sold_currency: string;
  source_id: string;
  subscription_id: string;
};

export type CostSourceTable = {
  assumed_currency: string | null;
  created_at: Date;
  failure_code: string | null;
  failure_detail: string | null;
  failures: Generated<number>;
  id: string;
  is_paused: Generated<boolean>;
  last_pull_at: Date | null;
  name: string;
  next_pull_at: Date | null;
  place: unknown;
  rules: unknown;
  secret: Buffer | null;
  selling: unknown;
  terms: Generated<number>;
  version: Generated<number>;
};

export type CreditCheckTable = {
  id: GeneratedAlways<bigint>;
  organization_id: string;
};

export type CreditCoverTable = {
  checked_at: Date;
  organization_id: string;
  service_id: string;
  stopped_at: Date | null;
  told_at: Date | null;
  warned_at: Date | null;
};

export type CreditGrantTable = {
  amount_minor: bigint;
  charges: unknown;
  created_at: Date;
  created_by: string;
  creator_name: string;
  currency: string;
  expired_minor: Generated<bigint>;
  granted_minor: Generated<bigint>;
  id: string;
  kind: string;
  last_month: string | null;
  name_en_us: string;
  name_zh_tw: string;
  note: string;
  organization_id: string;
  origin: string;
  priority: number;
  recurs: boolean;
  remaining_minor: GeneratedAlways<bigint>;
  rolls_over: boolean;
  services: string[] | null;
  starts_on: string;
  usage_only: boolean;
  used_minor: Generated<bigint>;
  version: Generated<bigint>;
  withdrawal_reason: string | null;
  withdrawer_name: string | null;
  withdrawn_at: Date | null;
  withdrawn_by: string | null;
  withdrawn_minor: Generated<bigint>;
};

export type CreditLimitTable = {
  amount_minor: bigint | null;
  currency: string;
  id: string;
  organization_id: string | null;
  set_at: Date;
  set_by: string;
};

export type CreditLimitCheckTable = {
  checked_at: Date;
  organization_id: string;
};

export type CreditLimitStateTable = {
  currency: string;
  level: string;
  limit_minor: bigint;
  organization_id: string;
  since: Date;
  used_minor: bigint;
};

export type CreditMovementTable = {
  at: Date;
  bill_id: string | null;
  bill_number: string | null;
  by_id: string;
  by_name: string | null;
  grant_id: string;
  id: string;
  kind: string;
  minor: bigint;
  month: string;
};

export type CreditNoteTable = {
  bill_id: string;
  content_hash: string;
  currency: string;
  id: string;
  issued_at: Date;
  issued_by: string;
  issuer_name: string;
  net_minor: bigint;
  number: string;
  organization_id: string;
  reason: string;
  sequence: number;
  series: string;
  tax_minor: bigint;
  to_balance_minor: bigint;
  to_due_minor: bigint;
  total_minor: bigint;
};

export type CreditNoteLineTable = {
  bill_id: string;
  credit_note_id: string;
  net_minor: bigint;
  position: number;
  tax_minor: bigint;
};

export type CreditSeriesTable = {
  last_number: number;
  series: string;
};

export type CreditTopUpTable = {
  amount_minor: bigint | null;
  changed_at: Date;
  changed_by: string;
  currency: string;
  monthly_cap_minor: bigint | null;
  organization_id: string;
  threshold_minor: bigint | null;
  warn_below_minor: bigint | null;
  warned_at: Date | null;
};

export type CustomRoleTable = {
  base_role: string;
  created_at: Date;
  created_by: string | null;
  description: Generated<string>;
  id: string;
  name: string;
  organization_id: string | null;
  permissions: string[];
};

export type DataExportTable = {
  asked_at: Date;
  asked_by: string;
  attempt: number;
  begun_at: Date | null;
  cause: string;
  events_through: Date | null;
  failure_code: string | null;
  failure_detail: string | null;
  files_done: Generated<number>;
  files_total: Generated<number>;
  finished_at: Date | null;
  folder: string | null;
  heard_at: Date;
  id: string;
  place: string | null;
  read_from: string | null;
  removed_at: Date | null;
  rows_done: Generated<bigint>;
  size_bytes: bigint | null;
  snapshot_at: Date | null;
  state: string;
  stop_asked: Generated<boolean>;
};

export type DeviceLoginTable = {
  address: string;
  asked_at: Date;
  device_hash: Buffer;
  expires_at: Date;
  interval_seconds: number;
  irreversible: boolean;
  key_id: string | null;
  name: string;
  permissions: string[];
  polled_at: Date | null;
  state: Generated<string>;
  user_hash: Buffer;
};

export type DiscountTable = {
  amount: bigint | null;
  archived_at: Date | null;
  audience: string;
  code: string | null;
  created_at: Date;
  created_by: string | null;
  currency: string | null;
  duration: string;
  id: string;
  max_per_organization: number;
  max_redemptions: number | null;
  maximum: bigint | null;
  months: number | null;
  name_en_us: string;
  name_zh_tw: string;
  organization_ids: string[];
  percent: string | null;
  redeemable_until: string | null;
  scope: unknown;
  until: string | null;
  version: Generated<number>;
};

export type DiscountApplicationTable = {
  bill_id: string;
  bill_number: string;
  currency: string;
  minor: bigint;
  month: string;
  redemption_id: string;
  voided_at: Date | null;
};

export type DiscountRedemptionTable = {
  discount_id: string;
  ended_at: Date | null;
  first_month: string;
  id: string;
  organization_id: string;
  redeemed_at: Date;
  redeemed_by: string | null;
  subscription_id: string | null;
  version: Generated<bigint>;
};

export type DunningExemptionTable = {
  made_at: Date;
  made_by: string;
  organization_id: string;
  reason: string;
};

export type DunningExtensionTable = {
  bill_id: string;
  granted_at: Date;
  granted_by: string;
  granter_name: string;
  reason: string;
  round: number;
  until_day: string;
};

export type DunningHoldTable = {
  bill_id: string;
  level: string;
  organization_id: string;
  since: Date;
};

export type DunningRehearsalTable = {
  id: string;
  made_at: Date;
  made_by: string;
  plan_key: string;
  result: unknown;
};

export type DunningReleaseTable = {
  bill_id: string;
  cause: string;
  held_since: Date;
  level: string;
  organization_id: string;
  position: GeneratedAlways<number>;
  released_at: Date;
  said: string;
};

export type DunningStepTable = {
  action: string;
  bill_id: string;
  day: number;
  due_minor: bigint;
  is_skipped: boolean;
  round: number;
  step: string;
  taken_at: Date;
};

export type EinvoiceTable = {
  attempts: Generated<number>;
  bill_id: string;
  busy_until: Date | null;
  created_at: Date;
  document: unknown;
  due_at: Date | null;
  error_code: string | null;
  error_words: string | null;
  id: string;
  is_unsure: Generated<boolean>;
  issued_at: Date | null;
  kind: string;
  lines: unknown;
  net_minor: bigint;
  next_at: Date | null;
  number: string | null;
  organization_id: string;
  period: string | null;
  provider: string | null;
  random_code: string | null;
  sent_at: Date | null;
  state: string;
  tax_kind: string;
  tax_minor: bigint;
  total_minor: bigint;
  track_id: string | null;
  uploaded_at: Date | null;
  void_asked_at: Date | null;
  void_reason: string | null;
  voided_at: Date | null;
  warned_at: Date | null;
};

export type EinvoiceAllowanceTable = {
  attempts: Generated<number>;
  bill_id: string;
  busy_until: Date | null;
  document: unknown;
  einvoice_id: string;
  error_code: string | null;
  error_words: string | null;
  id: string;
  is_unsure: Generated<boolean>;
  made_at: Date;
  net_minor: bigint;
  next_at: Date | null;
  number: string | null;
  organization_id: string;
  sent_at: Date | null;
  source: string;
  state: string;
  tax_minor: bigint;
  total_minor: bigint;
  void_asked_at: Date | null;
  void_reason: string | null;
  voided_at: Date | null;
};

export type EinvoiceAttemptTable = {
  action: string;
  allowance_id: string | null;
  at: Date;
  code: string;
  einvoice_id: string;
  id: GeneratedAlways<bigint>;
  outcome: string;
  words: string;
};

export type EinvoiceBillTable = {
  bill_id: string;
  buyer: unknown;
  created_at: Date;
  is_closed: Generated<boolean>;
  look_at: Date | null;
  organization_id: string;
  timing: string;
};

export type EinvoicePreferenceTable = {
  changed_at: Date;
  changed_by: string;
  code: string;
  keep: string;
  organization_id: string;
};

export type EinvoiceTrackTable = {
  created_at: Date;
  created_by: string;
  from_number: number;
  id: string;
  last_issued_at: Date | null;
  letters: string;
  next_number: number;
  period: string;
  to_number: number;
  unused_reported_at: Date | null;
};

export type ErasureTable = {
  asked_at: Date;
  asked_by: string;
  backups_until: Date | null;
  books_until: string | null;
  certificate: string | null;
  checked_at: Date | null;
  counts: Generated<unknown>;
  finished_at: Date | null;
  id: string;
  kind: string;
  organization_id: string | null;
  reason: string;
  remains: Generated<unknown>;
  signature: string | null;
  state: string;
  terms: Buffer | null;
  user_id: string | null;
};

export type EventStreamTable = {
  address: string;
  authority: string;
  created_at: Date;
  credential_kind: string;
  credentials: Buffer | null;
  duplicates: Generated<bigint>;
  events: Generated<bigint>;
  expression: string;
  failing_since: Date | null;
  failure_code: string | null;
  failure_detail: string | null;
  failures: Generated<number>;
  format: string;
  held_until: Date | null;
  holder: string | null;
  id: string;
  is_connected: Generated<boolean>;
  is_paused: Generated<boolean>;
  lag: bigint | null;
  last_message_at: Date | null;
  messages: Generated<bigint>;
  name: string;
  next_try_at: Date;
  options: unknown;
  rate_before: Generated<bigint>;
  rate_count: Generated<bigint>;
  rate_minute: Date | null;
  start: string;
  version: Generated<number>;
};

export type EventStreamPositionTable = {
  next_offset: bigint;
  partition: string;
  stream_id: string;
};

export type EventStreamRejectedTable = {
  code: string;
  id: string;
  is_complete: boolean;
  params: unknown;
  payload: string;
  place: number;
  position: string;
  position_id: string | null;
  received_at: Date;
  sent_at: Date;
  stream_id: string;
  topic: string;
};

export type ExchangeRateTable = {
  against: string;
  currency: string;
  day: string;
  id: string;
  rate: string;
  set_at: Date;
  set_by: string;
  setter_name: string;
  source: string;
  version: number;
};

export type ExternalIdentityTable = {
  email: string;
  id: string;
  is_managed: boolean;
  issuer: string;
  last_used_at: Date | null;
  linked_at: Date;
  source: string;
  subject: string;
  user_id: string;
};

export type FaultTable = {
  at: Date;
  id: GeneratedAlways<bigint>;
  message: string;
  place: string;
  request_id: string | null;
  source: string;
};

export type IdempotencyKeyTable = {
  actor: string;
  answer: unknown;
  created_at: Date;
  key: string;
  request_hash: string;
  route: string;
  status: number | null;
};

export type IdentityProviderTable = {
  allows_unsolicited: boolean;
  certificates: string[];
  client_id: string;
  client_secret: Buffer | null;
  created_at: Date;
  default_role: string | null;
  email_attribute: string;
  entity_id: string;
  groups_attribute: string;
  id: string;
  is_active: boolean;
  kind: string;
  last_result: unknown;
  must_use: boolean;
  name: string;
  name_attribute: string;
  organization_id: string | null;
  scim_token_hash: Buffer | null;
  scim_token_made_at: Date | null;
  scim_used_at: Date | null;
  sso_url: string;
};

export type IdentityProviderGroupTable = {
  custom_role_id: string | null;
  group_name: string;
  position: number;
  provider_id: string;
  role: string;
};

export type ImportTable = {
  content: Buffer;
  created_at: Date;
  created_by: string;
  failure: string | null;
  file_name: string;
  finished_at: Date | null;
  id: string;
  report: Generated<unknown>;
  rows_done: Generated<number>;
  rows_total: Generated<number>;
  state: string;
};

export type ImportRowTable = {
  currency: string;
  exact_cost: string | null;
  list_cost: string;
  month: string;
  refused_code: string | null;
  row_id: string;
  source: string;
  subscription_id: string | null;
};

export type InstallationSecretsTable = {
  changed_at: Date;
  fingerprint: string;
  is_only: Generated<boolean>;
  sealed: Buffer | null;
};

export type InterimThresholdTable = {
  amount_minor: bigint | null;
  currency: string;
  id: string;
  organization_id: string | null;
  set_at: Date;
  set_by: string;
};

export type InvitationTable = {
  accepted_at: Date | null;
  accepted_by: string | null;
  created_at: Date;
  custom_role_id: string | null;
  email: string;
  expires_at: Date;
  id: string;
  invited_by: string | null;
  organization_id: string;
  revoked_at: Date | null;
  role: string;
  sent: Generated<number>;
  token_hash: Buffer;
};

export type JournalExportTable = {
  digest: string;
  first_day: string;
  id: string;
  language: string;
  last_day: string;
  lines: number;
  made_at: Date;
  made_by: string;
  maker_name: string;
  period: string;
  sequence: number;
  settings: unknown;
  time_zone: string;
  transactions: number;
  vouchers: number;
  withdrawal_reason: string | null;
  withdrawer_name: string | null;
  withdrawn_at: Date | null;
  withdrawn_by: string | null;
};

export type JournalExportedTable = {
  export_id: string;
  transaction_id: string;
};

export type JournalFileTable = {
  bytes: bigint;
  currency: string;
  digest: string;
  encoding: string;
  export_id: string;
  format: string;
  id: string;
  part: number;
  taken_at: Date;
  taken_by: string;
  taker_name: string;
};

export type JournalLineTable = {
  account_kind: string;
  code: string;
  credit_minor: string;
  debit_minor: string;
  department: string;
  export_id: string;
  name: string;
  position: number;
  service_id: string | null;
  summary: string;
  tax_name: string;
  tax_rate: string | null;
  voucher: number;
};

export type JournalMappingTable = {
  account_kind: string;
  changed_at: Date;
  changed_by: string;
  code: string;
  currency: string | null;
  department: string;
  id: string;
  name: string;
  service_id: string | null;
  tax_name: string;
  tax_rate: string | null;
};

export type JournalVoucherTable = {
  currency: string;
  day: string;
  export_id: string;
  kind: string;
  number: string;
  position: number;
  summary: string;
  total_minor: string;
  transactions: number;
};

export type KnownDeviceTable = {
  expires_at: Date;
  hash: Buffer;
  user_id: string;
};

export type LastWriteTable = {
  at: Date;
  caller: string;
  place: bigint;
};

export type LateFeeTable = {
  amount_minor: bigint;
  bill_id: string;
  credit_note_id: string | null;
  currency: string;
  id: string;
  made_at: Date;
  one_off_id: string;
  organization_id: string;
  period: string;
  step_day: number | null;
  stretches: unknown;
  waive_reason: Generated<string>;
};

export type LateFeeProgressTable = {
  bill_id: string;
  forgiven_minor: Generated<bigint>;
  is_settled: boolean;
  through_on: string;
};

export type LateFeeTermsTable = {
  made_by: string;
  maker_name: string;
  since: Date;
  terms: unknown;
  version: GeneratedAlways<number>;
};

export type LateUsageTable = {
  changed_at: Date;
  month: string;
  subscription_id: string;
  version: Generated<bigint>;
};

export type LedgerAccountTable = {
  balance_minor: Generated<string>;
  currency: string;
  id: string;
  kind: string;
  organization_id: string | null;
};

export type LedgerEntryTable = {
  account_id: string;
  amount_minor: bigint;
  currency: string;
  position: number;
  transaction_id: string;
};

export type LedgerTransactionTable = {
  at: Date;
  id: string;
  kind: string;
  reference: string;
  written_in: Generated<string>;
};

export type LicenceTable = {
  expires_at: Date;
  file: string;
  id: string;
  issued_at: Date;
  issued_by: string;
  key_id: string;
  machine: string;
  organization_id: string;
  renews: string | null;
  revocation: bigint | null;
  revoke_reason: string | null;
  revoked_at: Date | null;
  revoked_by: string | null;
  service_id: string;
  sha256: Buffer;
  subscription_id: string;
};

export type LicenceKeyTable = {
  id: string;
  made_at: Date | null;
  made_by: string | null;
  public_key: string;
  retired_at: Date | null;
  sealed: Buffer | null;
};

export type LinkRequestTable = {
  attempts: Generated<number>;
  email: string;
  expires_at: Date;
  hash: Buffer;
  issuer: string;
  source: string;
  subject: string;
  user_id: string;
};

export type LiveTicketUsedTable = {
  expires_at: Date;
  hash: Buffer;
};

export type MailDomainTable = {
  challenge: string;
  created_at: Date;
  domain: string;
  id: string;
  provider_id: string;
  verified_at: Date | null;
};

export type MeterTable = {
  aggregation: string;
  aggregation_property: string | null;
  created_at: Date;
  data_schema: unknown;
  dimensions: Generated<string[]>;
  event_type: string;
  filter: unknown;
  id: string;
  key: string;
  name: string;
  percentile: number | null;
  sample_minutes: number | null;
  services: Generated<number>;
  unit: string;
  version: Generated<number>;
};

export type MetricCohortTable = {
  currency: string;
  customers: number;
  first_no: number;
  minor: string;
  month_no: number;
};

export type MetricFirstTable = {
  currency: string;
  month_no: number;
  organization_id: string;
};

export type MetricMonthTable = {
  currency: string;
  customers: number;
  month_no: number;
  once_minor: string;
  recurring_minor: string;
  usage_minor: string;
};

export type MetricMovementTable = {
  currency: string;
  customers: number;
  kind: string;
  minor: string;
  month_no: number;
};

export type MetricPlanRunTable = {
  id: Generated<number>;
  last_no: number;
  took_ms: number;
  worked_out_at: Date;
};

export type MetricPlannedTable = {
  currency: string;
  minor: string;
  month_no: number;
};

export type MetricPlannedCustomerTable = {
  currency: string;
  minor: string;
  month_no: number;
  organization_id: string;
};

export type MetricProofTable = {
  currency: string;
  ledger_minor: string;
  months_minor: string;
  worked_out_at: Date;
};

export type MetricRevenueTable = {
  currency: string;
  month_no: number;
  once_minor: bigint;
  organization_id: string;
  recurring_minor: bigint;
  usage_minor: bigint;
};

export type MetricStaleTable = {
  id: GeneratedAlways<bigint>;
  month: string;
};

export type MetricSubscriptionTable = {
  currency: string;
  minor: bigint;
  month_no: number;
  organization_id: string;
  subscription_id: string;
};

export type MinimumSpendTable = {
  amount_minor: bigint;
  created_at: Date;
  created_by: string;
  currency: string;
  ended_at: Date | null;
  ended_by: string | null;
  from_on: string;
  id: string;
  organization_id: string;
  until_on: string | null;
};

export type MonthClosedTable = {
  closed_at: Date;
  is_released: Generated<boolean>;
  month: string;
  organization_id: string;
};

export type MonthPackTable = {
  asked_at: Date;
  asked_by: string;
  documents_done: Generated<number>;
  documents_total: number;
  file_name: string | null;
  finished_at: Date | null;
  heard_at: Date;
  id: string;
  kept_until: Date | null;
  language: string;
  month: string;
  organization_id: string | null;
  problem: string | null;
  size_bytes: bigint | null;
  state: string;
  stop_asked: Generated<boolean>;
  totals: unknown;
};

export type NotificationTable = {
  category: string;
  channels: Generated<string[]>;
  created_at: Date;
  id: string;
  is_read: GeneratedAlways<boolean | null>;
  kind: string;
  link: string | null;
  params: unknown;
  period: string;
  read_at: Date | null;
  search_text: string | null;
  subject: string;
  text_key: string;
  type: string;
  user_id: string;
};

export type NotificationDeletedTable = {
  category: string;
  channels: string[];
  created_at: Date;
  deleted_at: Date;
  deletion_id: string;
  id: string;
  kind: string;
  link: string | null;
  params: unknown;
  period: string;
  read_at: Date | null;
  search_text: string | null;
  subject: string;
  text_key: string;
  type: string;
  user_id: string;
};

export type NotificationDigestTable = {
  due_at: Date;
  mail_key: string | null;
  notification_id: string;
  user_id: string;
};

export type NotificationPreferenceTable = {
  changed_at: Date;
  digest_categories: string[] | null;
  digest_hour: number | null;
  matrix: unknown;
  quiet_from: string | null;
  quiet_to: string | null;
  user_id: string;
};

export type OneOffChargeTable = {
  amount_minor: bigint;
  approved_at: Date | null;
  approved_by: string | null;
  bill_id: string | null;
  bill_number: string | null;
  billing: string;
  charge_on: string;
  created_at: Date;
  created_by: string;
  credited_reason: string | null;
  currency: string;
  id: string;
  kind: string;
  name: unknown;
  note: string;
  organization_id: string;
  origin: Generated<string>;
  quantity: string;
  state: string;
  subscription_id: string | null;
  taxed_as: Generated<string>;
  unit_price: string;
  version: Generated<bigint>;
};

export type OneOffStepTable = {
  at: Date;
  bill_number: string | null;
  by: string | null;
  one_off_id: string;
  reason: string;
  step: string;
  version: bigint;
};

export type OrganizationTable = {
  billing_address: Generated<string>;
  billing_email: Generated<string>;
  billing_reference: Generated<string>;
  closed_at: Date | null;
  closed_reason: Generated<string>;
  country: Generated<string>;
  created_at: Date;
  electronic_address: Generated<string>;
  external_ref: string | null;
  id: string;
  language: string;
  name: string;
  purchase_order: Generated<string>;
  tax_id: Generated<string>;
  tax_status: Generated<string>;
  time_zone: string;
  vat_id: Generated<string>;
};

export type OrganizationPayerTable = {
  from_month: string;
  id: string;
  organization_id: string;
  payer_id: string | null;
  set_at: Date;
  set_by: string;
};

export type OutboxTable = {
  attempts: Generated<number>;
  created_at: Date;
  due_at: Date;
  id: GeneratedAlways<bigint>;
  key: string | null;
  kind: string;
  last_error: string | null;
  parked_at: Date | null;
  payload: unknown;
  sent_at: Date | null;
};

export type PasskeyTable = {
  counter: bigint;
  created_at: Date;
  credential_id: string;
  id: string;
  last_used_at: Date | null;
  name: string;
  public_key: Buffer;
  transports: string[];
  user_id: string;
};

export type PasskeyChallengeTable = {
  browser_hash: Buffer;
  expires_at: Date;
  hash: Buffer;
  user_id: string | null;
};

export type PayerBillingTable = {
  from_month: string;
  is_consolidated: boolean;
  organization_id: string;
  set_at: Date;
  set_by: string;
};

export type PaymentTable = {
  amount_minor: bigint;
  asked_at: Date | null;
  asks: Generated<number>;
  bill_id: string | null;
  certificate: Generated<string>;
  checkout: unknown;
  checkout_reference: string | null;
  consolidated_id: string | null;
  created_at: Date;
  created_by: string;
  currency: string;
  expires_at: Date | null;
  failure: Generated<string>;
  id: string;
  instructions: unknown;
  is_mismatch: Generated<boolean>;
  is_off_session: Generated<boolean>;
  language: Generated<string>;
  method: string;
  note: Generated<string>;
  organization_id: string;
  parties: unknown;
  processing_at: Date | null;
  provider_reference: string | null;
  received_currency: string | null;
  received_minor: bigint | null;
  refunded_minor: Generated<bigint>;
  settled_at: Date | null;
  settled_by: string | null;
  state: string;
  to_bill_minor: Generated<bigint>;
  withheld_on: string | null;
};

export type PaymentDisputeTable = {
  amount_minor: bigint;
  closed_at: Date | null;
  created_at: Date;
  currency: string;
  evidence_due_at: Date | null;
  id: string;
  organization_id: string;
  payment_id: string;
  provider_reference: string;
  reason: string;
  said_at: Date;
  state: string;
};

export type PaymentDisputeMoveTable = {
  at: Date;
  dispute_id: string;
  fee_minor: bigint;
  id: string;
  minor: bigint;
  provider_reference: string;
  to_balance_minor: bigint;
  to_bill_minor: bigint;
};

export type PaymentPlanTable = {
  agreed_at: Date;
  agreed_by: string;
  agreer_name: string;
  currency: string;
  end_reason: Generated<string>;
  ended_at: Date | null;
  ending: string | null;
  grace_days: number;
  id: string;
  note: string;
  organization_id: string;
};

export type PaymentPlanBillTable = {
  agreed_on: string;
  bill_id: string;
  ended_on: string | null;
  plan_id: string;
};

export type PaymentPlanInstalmentTable = {
  amount_minor: bigint;
  due_on: string;
  plan_id: string;
  position: number;
};

export type PaymentPlanPartTable = {
  bill_id: string;
  due_on: string;
  from_minor: bigint;
  plan_id: string;
  position: number;
  until_minor: bigint;
};

export type PaymentRefundTable = {
  amount_minor: bigint;
  asked_at: Date | null;
  created_at: Date;
  created_by: string;
  currency: string;
  failure: Generated<string>;
  id: string;
  is_unsure: Generated<boolean>;
  organization_id: string;
  origin: string;
  payment_id: string;
  provider_reference: string | null;
  reason: string;
  settled_at: Date | null;
  state: string;
};

export type PaymentRefusalTable = {
  about: string | null;
  amount_minor: bigint | null;
  code: string;
  currency: string | null;
  event_id: string;
  first_at: Date;
  last_at: Date;
  payment_id: string | null;
  provider: string;
  settle_note: Generated<string>;
  settled_at: Date | null;
  settled_by: string | null;
  times: Generated<number>;
};

export type PersonalExportTable = {
  asked_at: Date;
  asked_by: string;
  file_key: Buffer | null;
  file_name: string | null;
  files_done: Generated<number>;
  files_total: Generated<number>;
  finished_at: Date | null;
  heard_at: Date;
  id: string;
  kept_until: Date | null;
  language: string;
  organization_id: string;
  problem: string | null;
  rows_done: Generated<bigint>;
  size_bytes: bigint | null;
  state: string;
  stop_asked: Generated<boolean>;
};

export type PortalLinkTable = {
  accent: string | null;
  actor: string;
  created_at: Date;
  created_by: string;
  expires_at: Date;
  id: string;
  key_id: string | null;
  language: string;
  may_change: boolean;
  mode: string;
  organization_id: string;
  origins: string[];
  pages: string[];
  return_url: string | null;
  revoked_at: Date | null;
  revoked_by: string | null;
  session_ends_at: Date | null;
  session_hash: Buffer | null;
  session_minutes: number;
  token_hash: Buffer;
  used_at: Date | null;
};

export type PriceOverrideTable = {
  created_at: Date;
  created_by: string | null;
  currency: string;
  effective_from: Date;
  effective_until: Date | null;
  id: string;
  only_charges: Generated<boolean>;
  organization_id: string;
  pricing: unknown;
  reason: string;
  service_id: string;
};

export type PriceOverrideSegmentTable = {
  id: string;
  override_id: string;
  pricing: unknown;
  version_id: string;
};

export type PriceVersionTable = {
  created_at: Date;
  created_by: string | null;
  currency: string;
  effective_from: Date;
  id: string;
  pricing: unknown;
  service_id: string;
};

export type ProviderEventTable = {
  about: string;
  event_id: string;
  notice: unknown;
  outcome: string;
  payment_id: string | null;
  payment_reference: string | null;
  provider: string;
  received_at: Date;
};

export type PushSubscriptionTable = {
  auth: string;
  created_at: Date;
  device: string;
  endpoint: string;
  id: string;
  last_error: Generated<string>;
  last_tried_at: Date | null;
  p256dh: string;
  user_id: string;
};

export type QuotaMonthTable = {
  held: Generated<string>;
  month: string;
  subscription_id: string;
};

export type QuotaRaiseTable = {
  answer: Generated<string>;
  asked_at: Date;
  asked_by: string;
  asked_limit: string;
  decided_at: Date | null;
  decided_by: string | null;
  granted_limit: string | null;
  id: string;
  limit_then: string;
  organization_id: string;
  reason: string;
  state: string;
  subscription_id: string;
  used_then: string;
};

export type QuotaReservationTable = {
  counts_at: Date;
  created_at: Date;
  ended_at: Date | null;
  expires_at: Date;
  id: string;
  month: string;
  quantity: string;
  reference: string;
  state: string;
  subscription_id: string;
  used: string | null;
};

export type QuotaStatusTable = {
  changed_at: Date;
  is_recovered: Generated<boolean>;
  limit_value: string | null;
  month: string;
  status: string;
  subscription_id: string;
};

export type QuoteTable = {
  created_at: Date;
  created_by: string;
  currency: string;
  decided_at: Date | null;
  decided_by: string | null;
  decided_from: string | null;
  decided_reason: string | null;
  id: string;
  latest_version: number;
  made: Generated<unknown>;
  number: string | null;
  organization_id: string;
  revision: Generated<number>;
  sent_version: number | null;
  sequence: number | null;
  series: string | null;
  state: string;
};

export type QuoteSeriesTable = {
  last_number: number;
  series: string;
};

export type QuoteVersionTable = {
  content: unknown;
  created_at: Date;
  created_by: string;
  estimate: unknown;
  expires_at: Date | null;
  link_hash: Buffer | null;
  link_salt: string | null;
  offered: unknown;
  quote_id: string;
  sent_at: Date | null;
  sent_by: string | null;
  total_minor: bigint;
  valid_until: string;
  version: number;
};

export type RateWindowTable = {
  calls: number;
  ends_at: Date;
  key: Buffer;
};

export type ReconciliationFindingTable = {
  amount_minor: bigint | null;
  billed_size: string;
  cause: string;
  connector_id: string;
  currency: string | null;
  fields: unknown;
  first_found_at: Date;
  id: string;
  item_kind: string;
  item_state: string;
  kind: string;
  last_found_at: Date;
  name: string;
  owner_id: string | null;
  project: string;
  resource: string;
  service_id: string | null;
  since: Date | null;
  size: string;
  subscription_id: string | null;
};

export type ReconciliationIgnoredTable = {
  connector_id: string;
  id: string;
  ignored_at: Date;
  ignored_by: string;
  kind: string;
  reason: string;
  resource: string;
  undone_at: Date | null;
  undone_by: string | null;
};

export type ReconciliationMissingTable = {
  connector_id: string;
  missing_since: Date;
  resource: string;
};

export type ReconciliationPriceTable = {
  connector_id: string;
  item_kind: string;
  service_id: string;
};

export type ReconciliationRunTable = {
  asked_at: Date;
  asked_by: string | null;
  differs: Generated<number>;
  ended_at: Date | null;
  ghosts: Generated<number>;
  id: string;
  sources: Generated<unknown>;
  started_at: Date | null;
  state: string;
  unbilled: Generated<number>;
};

export type ReconciliationSettingTable = {
  ghost_hours: Generated<number>;
  is_only: Generated<boolean>;
  notice_currency: string | null;
  notice_minor: bigint | null;
  version: Generated<number>;
};

export type ReconciliationSourceTable = {
  connector_id: string;
  failure_code: string | null;
  failure_detail: string | null;
  items: number;
  read_at: Date | null;
};

export type ReconciliationTotalTable = {
  amount_minor: bigint;
  currency: string;
  kind: string;
  run_id: string;
};

export type RecoveryCodeTable = {
  hash: Buffer;
  used_at: Date | null;
  user_id: string;
};

export type RejectedEventTable = {
  code: string;
  digest: Buffer;
  event_id: string | null;
  first_received_at: Date;
  id: string;
  is_complete: boolean;
  key_id: string;
  key_organization_id: string | null;
  last_received_at: Date;
  organization_id: string | null;
  params: unknown;
  raw: string;
  repaired: string | null;
  settled_at: Date | null;
  settled_by: string | null;
  source: string | null;
  state: Generated<string>;
  subject: string | null;
  times: Generated<bigint>;
  type: string | null;
};

export type RejectedEventOverflowTable = {
  last_at: Date;
  organization_id: string | null;
  owner: string;
  times: bigint;
};

export type ResellerTable = {
  due_days: number;
  instructions: Generated<string>;
  made_at: Date;
  made_by: string;
  name: string;
  number_prefix: string;
  organization_id: string;
  stopped_at: Date | null;
  tax_rate: string;
};

export type ResellerBrandTable = {
  accent: string | null;
  host: string | null;
  host_challenge: string | null;
  host_verified_at: Date | null;
  logo: Buffer | null;
  logo_id: string | null;
  reply_to: Generated<string>;
  reseller_id: string;
  sender_name: Generated<string>;
};

export type ResoldOrganizationTable = {
  from_month: string;
  organization_id: string;
  reseller_id: string | null;
  set_at: Date;
  set_by: string;
};

export type RetailBillTable = {
  buyer: unknown;
  currency: string;
  due_at: Date;
  id: string;
  issued_at: Date;
  kind: Generated<string>;
  month: string;
  net_minor: bigint;
  number: string;
  organization_id: string;
  paid_note: Generated<string>;
  paid_on: string | null;
  reseller_id: string;
  seller: unknown;
  sequence: number;
  tax_minor: bigint;
  tax_rate: string;
  total_minor: bigint;
};

export type RetailBillLineTable = {
  amount_minor: bigint;
  arithmetic: unknown;
  charge: unknown;
  exact_amount: string;
  for_month: string | null;
  kind: string;
  position: number;
  price_version_id: string | null;
  quantity: string;
  retail_bill_id: string;
  service_id: string | null;
  service_name: string;
  subscription_id: string | null;
  unit: string;
  unit_price: string | null;
};

export type RetailCreditNoteTable = {
  id: string;
  issued_at: Date;
  issued_by: string;
  net_minor: bigint;
  number: string;
  reason: string;
  reseller_id: string;
  retail_bill_id: string;
  sequence: number;
  tax_minor: bigint;
  total_minor: bigint;
};

export type RetailMarkUpTable = {
  from_month: string;
  mark_ups: unknown;
  reseller_id: string;
  set_at: Date;
  set_by: string;
};

export type RevenueRecognitionTable = {
  at: Date;
  currency: string;
  id: string;
  minor: bigint;
  month: string;
  organization_id: string;
};

export type RevenueScheduleTable = {
  bill_id: string;
  currency: string;
  minor: bigint;
  month: string;
  organization_id: string;
  position: number;
  recognition_id: string | null;
  source: string;
};

export type RowCountTable = {
  count: bigint;
  key1: string;
  key2: string;
  relation: string;
  shard: number;
};

export type SandboxTable = {
  alive_at: Date;
  bills: Generated<number>;
  clock_at: Date;
  copies_catalogue: boolean;
  created_at: Date;
  created_by: string;
  customers: Generated<number>;
  database_name: string;
  id: string;
  last_used_at: Date;
  mails: Generated<number>;
  move_from: Date | null;
  move_state: string | null;
  move_to: Date | null;
  mover: string | null;
  name: string;
  next_database: string | null;
  noticed_at: Date | null;
  start_at: Date;
  state: string;
};

export type SavedCardTable = {
  brand: string;
  created_at: Date;
  exp_month: number;
  exp_year: number;
  fingerprint: string | null;
  id: string;
  is_default: boolean;
  last4: string;
  organization_id: string;
  provider: string;
  reference: string;
  removed_at: Date | null;
  said_at: Date;
  setup_id: string;
  warned_for: string | null;
};

export type SavedViewTable = {
  created_at: Date;
  id: string;
  name: string;
  query: string;
  screen: string;
  user_id: string;
};

export type SchemaMigrationTable = {
  applied_at: Generated<Date>;
  checksum: string;
  name: string;
};

export type ScimGroupTable = {
  changed_at: Date;
  created_at: Date;
  display_name: string;
  external_id: string | null;
  id: string;
  provider_id: string;
  version: number;
};

export type ScimMemberTable = {
  group_id: string;
  user_id: string;
};

export type ScimUserTable = {
  changed_at: Date;
  created_at: Date;
  external_id: string | null;
  family_name: string;
  given_name: string;
  is_active: boolean;
  is_admitted: boolean;
  is_deleted: boolean;
  provider_id: string;
  user_id: string;
  version: number;
};

export type ServiceTable = {
  add_on_to: Generated<string[]>;
  aggregation: string;
  aggregation_property: string | null;
  billing_cycle: Generated<string>;
  category: string;
  created_at: Date;
  data_schema: unknown;
  description: Generated<string>;
  event_type: string;
  external_ref: string | null;
  family: Generated<string>;
  features: Generated<unknown>;
  id: string;
  meter_id: string;
  name: string;
  popular: Generated<boolean>;
  proration: Generated<string>;
  quota_limit: string | null;
  quota_meter: string | null;
  quota_type: Generated<string>;
  recommended: Generated<boolean>;
  release_state: Generated<string>;
  requires_prepaid_credit: Generated<boolean>;
  status: Generated<string>;
  tags: Generated<string[]>;
  trial_days: Generated<number>;
  type: string;
  unit: string;
  version: Generated<number>;
};

export type ServiceFacetTable = {
  category: string;
  count: bigint;
  release_state: string;
  status: string;
  type: string;
};

export type ServiceInterestTable = {
  created_at: Date;
  service_id: string;
  user_id: string;
};

export type ServiceMeterTable = {
  meter_id: string;
  service_id: string;
};

export type ServiceTagTable = {
  count: bigint;
  tag: string;
};

export type ServiceTaxTable = {
  category: string;
  service_id: string;
  set_at: Date;
  set_by: string;
};

export type SessionTable = {
  address: string;
  created_at: Date;
  device: string;
  ended_at: Date | null;
  expires_at: Date;
  id: string;
  last_seen_at: Date;
  proved_at: Date;
  token_hash: Buffer;
  user_id: string;
};

export type SessionPolicyTable = {
  changed_at: Date;
  changed_by: string;
  idle_minutes: number | null;
  networks: Generated<string[]>;
  organization_id: string | null;
  scope: GeneratedAlways<string>;
  session_hours: number | null;
};

export type SessionUsedTokenTable = {
  hash: Buffer;
  session_id: string;
  used_at: Date;
};

export type SettingTable = {
  changed_at: Date;
  changed_by: string;
  key: string;
  value: unknown;
};

export type SubscriptionTable = {
  auto_renew: Generated<boolean>;
  created_at: Date;
  ends_at: Date | null;
  held_state: string | null;
  id: string;
  next_step_at: Date | null;
  organization_id: string;
  parent_id: string | null;
  quantity: Generated<string>;
  service_id: string;
  started_at: Date;
  state: string;
  trial_ends_at: Date | null;
  version: Generated<number>;
};

export type SubscriptionHoldTable = {
  admin_reason: string | null;
  level: string;
  organization_id: string;
  since: Date;
};

export type SubscriptionPauseTable = {
  from_at: Date;
  is_begun: boolean;
  is_over: Generated<boolean>;
  position: GeneratedAlways<number>;
  subscription_id: string;
  until_at: Date | null;
};

export type SubscriptionPayerTable = {
  from_month: string;
  id: string;
  organization_id: string;
  payer_id: string | null;
  set_at: Date;
  set_by: string;
  subscription_id: string;
};

export type SubscriptionPhaseTable = {
  charge_quantities: unknown;
  from_at: Date;
  is_applied: boolean;
  position: GeneratedAlways<number>;
  quantity: string;
  service_id: string | null;
  subscription_id: string;
  year_anchor: string | null;
};

export type SubscriptionSuspensionTable = {
  from_at: Date;
  position: GeneratedAlways<number>;
  subscription_id: string;
  until_at: Date | null;
};

export type SubscriptionTermTable = {
  ends_at: Date;
  noted_at: Date;
  starts_at: Date;
  subscription_id: string;
};

export type SubscriptionTransitionTable = {
  actor: string;
  at: Date;
  detail: Generated<unknown>;
  from_state: string | null;
  position: GeneratedAlways<number>;
  reason: string;
  said: Generated<string>;
  subscription_id: string;
  to_state: string;
};

export type TaxRateTable = {
  added_at: Generated<Date>;
  added_by: string | null;
  category: string;
  country: string;
  id: string;
  rate: string | null;
  valid_from: string;
};

export type UsageArchiveTable = {
  begun_at: Date;
  completed_at: Date | null;
  id: GeneratedAlways<number>;
  kind: string;
  month: string;
  moved_from: number | null;
};

export type UsageArchivePartTable = {
  archive_id: number;
  bytes: bigint;
  digest: string;
  event_count: bigint;
  first_subscription_id: string;
  last_event_id: string;
  last_source_id: number;
  last_subscription_id: string;
  last_time: Date;
  name: string;
  number: number;
};

export type UsageDayTable = {
  cell: Generated<string>;
  day: string;
  event_count: bigint;
  last_at: Date;
  last_event: string;
  last_value: string;
  max: string;
  meter: Generated<string>;
  min: string | null;
  subscription_id: string;
  sum: string;
};

export type UsageDimensionHourTable = {
  dimension: string;
  event_count: bigint;
  hour: Date;
  last_at: Date;
  last_event: Generated<string>;
  last_value: string;
  max: string;
  subscription_id: string;
  sum: string;
  value: string;
};

export type UsageDimensionValueTable = {
  dimension: string;
  month: string;
  subscription_id: string;
  value: string;
};

export type UsageDistinctTable = {
  cell: Generated<string>;
  meter: Generated<string>;
  month: string;
  subscription_id: string;
  value: string;
};

export type UsageDistinctHourTable = {
  cell: Generated<string>;
  hour: Date;
  meter: Generated<string>;
  subscription_id: string;
  value: string;
};

export type UsageEventTable = {
  event_id: string;
  key_id: string | null;
  properties: unknown;
  received_at: Date;
  source_id: number;
  subscription_id: string;
  time: Date;
  type: string | null;
  value: string;
  voided_event_id: string | null;
  voided_source_id: number | null;
};

export type UsageHourTable = {
  cell: Generated<string>;
  event_count: bigint;
  hour: Date;
  last_at: Date;
  last_event: Generated<string>;
  last_value: string;
  max: string;
  meter: Generated<string>;
  min: string | null;
  subscription_id: string;
  sum: string;
  void_count: Generated<bigint>;
};

export type UsageKeyTable = {
  digest: bigint;
  event_id: string;
  source_id: number;
  time: Date;
};

export type UsageLevelHourTable = {
  area: string;
  cell: Generated<string>;
  first_at: Date;
  hour: Date;
  last_at: Date;
  last_value: string;
  meter: Generated<string>;
  subscription_id: string;
};

export type UsageMonthTable = {
  cell: Generated<string>;
  distinct_count: Generated<bigint>;
  event_count: bigint;
  last_at: Date;
  last_event: Generated<string>;
  last_value: string;
  max: string;
  meter: Generated<string>;
  min: string | null;
  month: string;
  subscription_id: string;
  sum: string;
};

export type UsageSampleTable = {
  cell: string;
  meter: string;
  start: Date;
  subscription_id: string;
  sum: string;
};

export type UsageSourceTable = {
  id: GeneratedAlways<number>;
  organization_id: string;
  source: string;
};

export type UsageVerdictTable = {
  day: string;
  judged_at: Date;
  judged_by: string;
  subscription_id: string;
  verdict: string;
};

export type UsageVoidTable = {
  by_event_id: string;
  by_source_id: number;
  event_id: string;
  source_id: number;
};

export type UsedAssertionTable = {
  assertion_id: string;
  expires_at: Date;
  provider_id: string;
};

export type UsedIdTokenTable = {
  expires_at: Date;
  hash: Buffer;
};

export type UserBatchTable = {
  action: string;
  created_at: Date;
  created_by: string;
  done: Generated<number>;
  finished_at: Date | null;
  id: string;
  refused: Generated<number>;
  state: string;
  total: Generated<number>;
  unchanged: Generated<number>;
  undone_by: string | null;
};

export type UserBatchRowTable = {
  batch_id: string;
  code: string | null;
  position: number;
  state: string;
  user_id: string;
};

export type UserImportTable = {
  created_at: Date;
  created_by: string;
  file_name: string;
  finished_at: Date | null;
  id: string;
  send_links: Generated<boolean>;
  state: string;
};

export type UserImportRowTable = {
  account: string;
  action: string;
  errors: unknown;
  import_id: string;
  name: string;
  position: number;
  state: string;
  wanted: unknown;
};

export type VatCheckTable = {
  address: string;
  checked_at: Date;
  id: string;
  name: string;
  organization_id: string;
  request_id: string;
  state: string;
  vat_id: string;
};

export type ViewAsTable = {
  admin_id: string;
  ended_at: Date | null;
  expires_at: Date;
  id: string;
  reason: string;
  session_id: string;
  started_at: Date;
  user_id: string;
};

export type WebhookAttemptTable = {
  answer: string;
  at: Date;
  delivery_id: string;
  detail: string;
  failure: string | null;
  ms: number;
  number: number;
  status: number | null;
};

export type WebhookDeliveryTable = {
  attempts: Generated<number>;
  began_at: Date;
  body: string;
  created_at: Date;
  endpoint_id: string;
  event_key: string;
  event_type: string;
  id: string;
  last_attempt_at: Date | null;
  last_failure: string | null;
  last_status: number | null;
  next_attempt_at: Date | null;
  state: string;
  tries: Generated<number>;
};

export type WebhookEndpointTable = {
  busy_until: Date | null;
  created_at: Date;
  created_by: string;
  description: string;
  event_types: string[] | null;
  failed_turns: Generated<number>;
  failing_since: Date | null;
  id: string;
  is_on: Generated<boolean>;
  last_delivered_at: Date | null;
  off_reason: string | null;
  organization_id: string;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  rests_until: Date | null;
  secret: Buffer;
  secret_hint: string;
  url: string;
  wakes_at: Date | null;
};
