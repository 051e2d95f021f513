// Which data of payments and e-invoices may leave the console, and to whom it belongs.
import type { TableRules } from './rules-table.ts';

export const receivablesTables = {
  automatic_payment: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id is_on is_partial changed_at changed_by',
  },
  bank_application: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id row_id part kind organization_id payment_id refund_id amount_minor applied_at applied_by undone_at undone_by undone_reason',
  },
  bank_mapping: { why: 'operator', columns: 'mapping currency used_at', withheld: 'header_hash account' },
  bank_payer: { of: 'organization_id', folder: 'payments', columns: 'key organization_id times used_at' },
  bank_row: {
    of: 'id>bank_application.row_id',
    folder: 'payments',
    columns:
      'id statement_id account currency day amount_minor words payer_name payer_account line state certainty reason target_kind target_id ignored_reason decided_at decided_by',
    withheld: 'ordinal balance_minor',
  },
  bank_statement: {
    why: 'operator',
    columns:
      'id currency file_name encoding rows_total rows_new rows_known refused_total refused first_day last_day opening_minor closing_minor is_chain_whole uploaded_at uploaded_by',
    withheld: 'account',
  },
  bill_collection: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'bill_id organization_id attempts tries first_at next_at stopped instalment',
  },
  card_customer: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id provider reference created_at',
  },
  card_setup: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'id organization_id provider state consent language created_at created_by asked_at',
    withheld: 'checkout_url checkout_reference entry_token',
  },
  card_top_up: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'organization_id currency is_on threshold_minor amount_minor cap_minor stopped changed_at changed_by',
  },
  card_top_up_attempt: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'payment_id organization_id currency card_id code asked_at asks',
  },
  card_top_up_consent: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id currency given_at given_by language consent',
  },
  collection_attempt: {
    of: 'bill_id>bill',
    folder: 'payments',
    columns: 'bill_id number payment_id card_id code asked_at asks',
  },
  collection_switch: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id is_on changed_at changed_by',
  },
  credit_limit: {
    of: 'organization_id',
    folder: 'payments',
    isOfPayer: true,
    columns: 'id organization_id currency amount_minor set_by set_at',
  },
  credit_limit_check: { why: 'working', columns: 'organization_id checked_at' },
  credit_limit_state: {
    of: 'organization_id',
    folder: 'payments',
    isOfPayer: true,
    columns: 'organization_id currency used_minor limit_minor level since',
  },
  dunning_exemption: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id made_by made_at',
    withheld: 'reason',
  },
  dunning_extension: {
    of: 'bill_id>bill',
    folder: 'payments',
    columns: 'bill_id round until_day granted_by granter_name granted_at',
    withheld: 'reason',
  },
  dunning_hold: { of: 'organization_id', folder: 'payments', columns: 'organization_id level since bill_id' },
  dunning_rehearsal: { why: 'operator', columns: 'id plan_key made_at made_by', withheld: 'result' },
  dunning_release: {
    of: 'organization_id',
    folder: 'payments',
    columns: 'organization_id position level held_since released_at cause bill_id said',
  },
  dunning_step: {
    of: 'bill_id>bill',
    folder: 'payments',
    columns: 'bill_id round step day action is_skipped taken_at due_minor',
  },
  einvoice: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id bill_id organization_id state kind tax_kind provider track_id period number random_code issued_at document lines net_minor tax_minor total_minor created_at due_at warned_at sent_at uploaded_at void_reason void_asked_at voided_at attempts next_at busy_until is_unsure error_code error_words',
  },
  einvoice_allowance: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id einvoice_id bill_id organization_id state source number made_at document net_minor tax_minor total_minor sent_at void_reason void_asked_at voided_at attempts next_at busy_until is_unsure error_code error_words',
  },
  einvoice_attempt: {
    of: 'einvoice_id>einvoice',
    folder: 'bills',
    columns: 'id einvoice_id allowance_id at action outcome code words',
  },
  einvoice_bill: {
    of: 'organization_id',
    folder: 'bills',
    columns: 'bill_id organization_id timing look_at is_closed buyer created_at',
  },
  einvoice_preference: {
    of: 'organization_id',
    folder: 'organization',
    columns: 'organization_id keep code changed_at changed_by',
  },
  einvoice_track: {
    why: 'operator',
    columns:
      'id period letters from_number to_number next_number last_issued_at created_at created_by unused_reported_at',
  },
  late_fee: {
    of: 'organization_id',
    folder: 'bills',
    columns:
      'id bill_id organization_id period currency amount_minor stretches step_day one_off_id made_at credit_note_id waive_reason',
  },
  late_fee_progress: {
    of: 'bill_id>bill',
    folder: 'bills',
    columns: 'bill_id through_on forgiven_minor is_settled',
  },
  late_fee_terms: { why: 'operator', columns: 'version since terms made_by maker_name' },
  payment: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id organization_id bill_id method state amount_minor currency note created_at created_by settled_at settled_by language expires_at asked_at asks received_minor received_currency to_bill_minor is_mismatch refunded_minor provider_reference failure parties processing_at withheld_on certificate is_off_session instructions consolidated_id',
    withheld: 'checkout checkout_reference',
  },
  payment_dispute: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id payment_id organization_id state amount_minor currency reason evidence_due_at provider_reference said_at created_at closed_at',
  },
  payment_dispute_move: {
    of: 'dispute_id>payment_dispute',
    folder: 'payments',
    columns: 'id dispute_id provider_reference minor to_bill_minor to_balance_minor at',
    withheld: 'fee_minor',
  },
  payment_plan: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id organization_id currency grace_days agreed_at agreed_by agreer_name ended_at ending end_reason',
    withheld: 'note',
  },
  payment_plan_bill: {
    of: 'plan_id>payment_plan',
    folder: 'payments',
    columns: 'plan_id bill_id agreed_on ended_on',
  },
  payment_plan_instalment: {
    of: 'plan_id>payment_plan',
    folder: 'payments',
    columns: 'plan_id position due_on amount_minor',
  },
  payment_plan_part: {
    of: 'plan_id>payment_plan',
    folder: 'payments',
    columns: 'plan_id bill_id position due_on from_minor until_minor',
  },
  payment_refund: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id payment_id organization_id state amount_minor currency reason origin provider_reference failure is_unsure asked_at created_at created_by settled_at',
  },
  payment_refusal: {
    of: 'payment_id>payment',
    folder: 'payments',
    columns:
      'provider event_id code about amount_minor currency payment_id times first_at last_at settled_at settled_by',
    withheld: 'settle_note',
  },
  provider_event: {
    why: 'operator',
    columns: 'provider event_id payment_id payment_reference about outcome received_at',
    withheld: 'notice',
  },
  saved_card: {
    of: 'organization_id',
    folder: 'payments',
    columns:
      'id organization_id provider setup_id brand last4 exp_month exp_year said_at is_default warned_for created_at removed_at',
    withheld: 'reference fingerprint',
  },
} as const satisfies TableRules;
