// Which data about people and sign-in may leave the console, and to whom it belongs.
import type { TableRules } from './rules-table.ts';

export const accessTables = {
  account_email: { of: 'user_id>app_user', folder: 'people', columns: 'user_id must_verify verified_at' },
  account_link: {
    why: 'secrets',
    columns: '',
    withheld: 'hash user_id purpose created_at expires_at used_at',
  },
  api_key: {
    of: 'organization_id',
    folder: 'programs',
    columns:
      'id name scope organization_id created_by created_at expires_at last_used_at revoked_at hint rotated_at previous_until permissions irreversible addresses',
    withheld: 'secret_hash previous_hash',
  },
  app_user: {
    of: 'organization_id',
    folder: 'people',
    columns:
      'id account name phone address role status organization_id member_level language two_factor email_notifications sms_notifications created_at last_sign_in_at deleted_at status_before erased_at custom_role_id',
    withheld: 'password_hash',
  },
  approval: {
    why: 'operator',
    columns:
      'id call subject requested_by key_id requested_at expires_at state decided_by decided_at note started_at ended_at failure_code failure_params',
    withheld: 'sealed_call sealed_outcome sealed_secrets',
  },
  attempt: { why: 'working', columns: 'failures blocked_until last_at', withheld: 'key' },
  audit_export: {
    why: 'operator',
    columns:
      'id name is_paused sent_seq last_sent_at claimed_until failing_since failures failure_code failure_detail next_try_at version created_at',
    withheld: 'target secret secret_hint sent_hash',
  },
  audit_head: { why: 'working', columns: 'one seq', withheld: 'hash' },
  audit_redaction: { why: 'operator', columns: 'seq erasure_id' },
  audit_log: {
    of: 'actor_id>app_user or actor_id>api_key or actor_id>portal_link or subject or subject>app_user or subject>api_key or subject>subscription or subject>bill or subject>payment',
    folder: 'audit',
    columns: 'id at actor_kind actor_id action subject detail request_id seq hash',
    // Details of what the provider's people did contain their reasons, which they wrote for themselves.
    hidden: {
      column: 'detail',
      unlessOf: 'actor_id>app_user or actor_id>api_key or actor_id>portal_link',
    },
  },
  authenticator: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'user_id created_at confirmed_at',
    withheld: 'seed last_step',
  },
  avatar: { of: 'user_id>app_user', folder: 'people', columns: 'user_id id created_at', withheld: 'picture' },
  company_request: {
    why: 'secrets',
    columns: '',
    withheld: 'id provider_id browser_hash is_test verifier return_to expires_at',
  },
  company_ticket: {
    why: 'secrets',
    columns: '',
    withheld: 'hash provider_id browser_hash subject email name groups return_to expires_at',
  },
  custom_role: {
    of: 'organization_id',
    folder: 'people',
    columns: 'id organization_id base_role name description permissions created_at created_by',
  },
  device_login: {
    of: 'key_id>api_key',
    folder: 'programs',
    columns:
      'name address permissions irreversible asked_at expires_at interval_seconds polled_at state key_id',
    withheld: 'device_hash user_hash',
  },
  external_identity: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'id source issuer subject user_id email is_managed linked_at last_used_at',
  },
  identity_provider: {
    of: 'organization_id',
    folder: 'organization',
    columns:
      'id kind name organization_id is_active entity_id sso_url certificates client_id allows_unsolicited must_use default_role email_attribute name_attribute groups_attribute last_result scim_used_at created_at',
    withheld: 'client_secret scim_token_hash scim_token_made_at',
  },
  identity_provider_group: {
    of: 'provider_id>identity_provider',
    folder: 'organization',
    columns: 'provider_id group_name role position custom_role_id',
  },
  invitation: {
    of: 'organization_id',
    folder: 'people',
    columns:
      'id organization_id email role sent invited_by created_at expires_at accepted_at accepted_by revoked_at custom_role_id',
    withheld: 'token_hash',
  },
  known_device: { of: 'user_id>app_user', folder: 'people', columns: 'user_id expires_at', withheld: 'hash' },
  link_request: {
    why: 'secrets',
    columns: '',
    withheld: 'hash source issuer subject email user_id attempts expires_at',
  },
  live_ticket_used: { why: 'secrets', columns: '', withheld: 'hash expires_at' },
  mail_domain: {
    of: 'provider_id>identity_provider',
    folder: 'organization',
    columns: 'id provider_id domain verified_at created_at',
    withheld: 'challenge',
  },
  organization: {
    of: 'id',
    folder: 'organization',
    columns:
      'id name tax_id tax_status billing_email billing_address time_zone language external_ref created_at purchase_order billing_reference closed_at closed_reason country vat_id electronic_address',
  },
  passkey: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'id user_id counter transports name created_at last_used_at',
    withheld: 'credential_id public_key',
  },
  passkey_challenge: { why: 'secrets', columns: '', withheld: 'hash browser_hash user_id expires_at' },
  recovery_code: { of: 'user_id>app_user', folder: 'people', columns: 'user_id used_at', withheld: 'hash' },
  saved_view: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'id user_id screen name query created_at',
  },
  scim_group: {
    of: 'provider_id>identity_provider',
    folder: 'organization',
    columns: 'id provider_id display_name external_id version created_at changed_at',
  },
  scim_member: { of: 'user_id>app_user', folder: 'people', columns: 'group_id user_id' },
  scim_user: {
    of: 'user_id>app_user',
    folder: 'people',
    columns:
      'provider_id user_id external_id given_name family_name is_active is_admitted is_deleted version created_at changed_at',
  },
  portal_link: {
    of: 'organization_id',
    folder: 'programs',
    columns:
      'id organization_id pages may_change language mode accent return_url origins actor created_by key_id created_at expires_at session_minutes used_at session_ends_at revoked_at revoked_by',
    withheld: 'token_hash session_hash',
  },
  session: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'id user_id device address created_at last_seen_at expires_at ended_at proved_at',
    withheld: 'token_hash',
  },
  session_policy: {
    of: 'organization_id',
    folder: 'organization',
    columns: 'organization_id scope idle_minutes session_hours networks changed_at changed_by',
  },
  session_used_token: { why: 'secrets', columns: '', withheld: 'hash session_id used_at' },
  used_assertion: { why: 'secrets', columns: '', withheld: 'provider_id assertion_id expires_at' },
  used_id_token: { why: 'secrets', columns: '', withheld: 'hash expires_at' },
  user_batch: {
    why: 'operator',
    columns: 'id action state total done unchanged refused created_by created_at finished_at undone_by',
  },
  user_batch_row: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'batch_id position user_id state code',
  },
  user_import: {
    why: 'operator',
    columns: 'id file_name state send_links created_by created_at finished_at',
  },
  user_import_row: { why: 'operator', columns: 'import_id position name account action state wanted errors' },
  view_as: {
    of: 'user_id>app_user',
    folder: 'people',
    columns: 'id admin_id user_id reason started_at expires_at ended_at',
    withheld: 'session_id',
  },
} as const satisfies TableRules;
