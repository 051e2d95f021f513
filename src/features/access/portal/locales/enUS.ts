// Texts of the portal, English.
export const enUS = {
  'portal.settings_title': 'Embedded portal',
  'portal.settings_lead':
    'Lets your own site show customers their usage, bills, payment methods and subscriptions in a frame. Only pages of these origins can show it.',
  'portal.origins': 'Allowed origins',
  'portal.origins_help':
    'One origin per line, such as https://portal.example.com, without a path. Leave empty to allow none.',
  'portal.save': 'Save origins',
  'portal.saved': 'Allowed origins saved.',
  'portal.sessions_title': 'Portal links',
  'portal.sessions_lead': 'Links that can still be opened, and sessions in use. Revoking ends them at once.',
  'portal.sessions_none': 'No open links',
  'portal.sessions_ends': 'Ends',
  'portal.state_unopened': 'Not opened yet',
  'portal.state_open': 'In use',
  'portal.by_key': '{{by}} (key “{{key}}”)',
  'portal.for_actor': '{{by}}, for “{{actor}}”',
  'portal.right_change': 'Can change',
  'portal.right_read': 'Read only',
  'portal.revoke': 'Revoke',
  'portal.revoke_of': 'Revoke link: {{link}}',
  'portal.revoke_confirm': 'Revoke link',
  'portal.revoke_title': 'Revoke this link?',
  'portal.revoke_consequence': 'Whoever is using it loses access at once. Your system can create a new link.',
  'portal.revoked': 'Link revoked.',
  'portal.page_usage': 'Usage',
  'portal.page_bills': 'Bills',
  'portal.page_paymentMethods': 'Payment methods',
  'portal.page_subscriptions': 'Subscriptions',
  'portal.tabs': 'Pages',
  'portal.back': 'Back',
  'portal.over_title': 'This link has ended',
  'portal.over_hint': 'Go back to the page you came from and open it again.',
  'portal.organization_closed': 'This organization is closed, so no link can be created for it.',
  'portal.origin_wrong':
    '“{{origin}}” isn’t a complete https origin. Enter one such as https://portal.example.com, without a path.',
  'portal.origin_not_allowed':
    '“{{origin}}” isn’t among the allowed origins. An administrator can add it in the system settings.',
  'portal.accent_pale': 'This color is too light to be seen on a light page. Choose a darker one.',
  'portal.return_wrong':
    'The return address must be a complete https address, such as https://portal.example.com/account.',
  'portal.link_invalid':
    'This link is invalid or was revoked. Go back to the page you came from and open it again.',
  'portal.link_used': 'This link was already used. Go back to the page you came from and open it again.',
  'portal.link_expired': 'This link has expired. Go back to the page you came from and open it again.',
  'portal.session_not_found': 'This link doesn’t exist or has already ended.',
};
