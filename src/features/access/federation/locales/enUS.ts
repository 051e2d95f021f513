// External sign-in's texts in English. The three of Google's sign-in are the specification's own words.
export const enUS = {
  'auth.google_login_failed': 'Google login failed, please try again or use account/password',
  'federation.google_failed': 'Google sign-in failed',
  'federation.google_unavailable':
    'Google sign-in service is temporarily unavailable, please use account/password',
  'federation.not_configured': 'This way to sign in isn’t set up here.',
  'federation.token_refused': 'The sign-in couldn’t be verified. Sign in again.',
  'federation.token_used': 'This sign-in was already used. Sign in again.',
  'federation.account_inactive': 'This account can’t sign in. Contact the administrator.',
  'federation.email_unverified':
    'Your e-mail address isn’t verified at the provider. Verify it there, then try again.',
  'federation.domain_refused': 'Accounts of this Google domain can’t sign in here.',
  'federation.role_refused': 'Your role can’t sign in this way. Contact the administrator.',
  'federation.not_registered': 'There’s no account for this Google account yet.',
  'federation.identity_known': 'This external account is already linked.',
  'federation.account_known':
    'An account with this e-mail address already exists. Sign in with your password, then link the external account in your profile.',
  'federation.link_required':
    'An account with this e-mail address already exists. Enter its password to link the two.',
  'federation.ticket_gone': 'The link wasn’t confirmed in time. Sign in again.',
  'federation.proof_wrong': 'The password is incorrect.',
  'federation.identity_not_found': 'This linked account doesn’t exist.',
  'federation.last_way_in': 'This is your only way to sign in. Set a password first.',
  'federation.provider_unavailable':
    'The identity provider can’t be reached. Try again later, or use your account and password.',
  'federation.provider': 'Sign in with identity provider',
  'federation.google_loading': 'Connecting to Google…',
  'federation.google_terms':
    'By signing in with Google for the first time you agree to the terms of service and the privacy policy.',
  'federation.link_title': 'Link your account',
  'federation.link_prove': 'Enter your password to link the external account.',
  'federation.link_password': 'Password of your account',
  'federation.link_otp': 'One-time code or recovery code',
  'federation.link_confirm': 'Link and sign in',
  'federation.link_cancel': 'Cancel',
  'federation.signed_in': 'You are signed in.',
  'federation.callback_title': 'External sign-in',
  'federation.callback_working': 'Completing sign-in…',
  'federation.callback_slow': 'This is taking longer than usual.',
  'federation.callback_back': 'Back to sign-in',
  'federation.callback_details': 'Technical details',
  'federation.callback_again': 'Sign in again',
  'federation.callback_failed': 'The sign-in couldn’t be completed. The identity provider reported an error.',
  'federation.callback_timeout': 'The identity provider didn’t answer in time. Try again.',
  'federation.callback_state': 'This answer belongs to another sign-in. Start again.',
  'federation.callback_unknown': 'This browser has no external sign-in in progress. Start again.',
  'federation.callback_popup_blocked': 'Your browser blocked the sign-in window. Allow it, then try again.',
  'federation.callback_popup_closed': 'The sign-in window was closed before sign-in was complete.',
  'federation.identities_lead': 'Sign in with an account you have elsewhere.',
  'federation.identities_none': 'No linked accounts.',
  'federation.source_google': 'Google',
  'federation.source_oidc': 'Identity provider',
  'federation.linked_on': 'Linked on {{date}}',
  'federation.link_google': 'Link Google',
  'federation.link_oidc': 'Link identity provider',
  'federation.unlink': 'Unlink',
  'federation.unlink_named': 'Unlink {{name}}',
  'federation.linked_done': 'External account linked.',
  'federation.unlinked_done': 'External account unlinked.',
  'federation.group_refused': 'None of your groups may use this console. Ask your company’s IT team.',
  'federation.address_refused':
    'Your company’s identity provider can’t vouch for this e-mail domain. Ask your company’s IT team.',
  'federation.company_required':
    'Your company requires company sign-in. Use “Continue with company sign-in”.',
  'federation.company_unknown':
    'Company sign-in isn’t set up for {{domain}}. Check the address, or use your account and password.',
  'federation.answer_refused':
    'The answer of your company’s identity provider couldn’t be verified. Sign in again. If it keeps failing, ask your company’s IT team.',
  'federation.answer_used': 'This sign-in was used already. Sign in again.',
  'federation.answer_late':
    'The identity provider’s answer has expired, or the clocks differ. Sign in again.',
  'federation.answer_unasked':
    'This browser has no company sign-in in progress. Start again from the sign-in page.',
  'federation.provider_refused':
    'Your company’s identity provider didn’t sign you in. Ask your company’s IT team.',
  'federation.company': 'Continue with company sign-in',
  'federation.company_email': 'Work e-mail',
  'federation.company_continue': 'Continue',
  'federation.company_back': 'Back',
  'federation.company_hint': 'Takes you to your company’s sign-in page.',
  'federation.company_title': 'Company sign-in',
  'federation.source_company': 'Company account',
  'federation.test': 'Test sign-in',
  'federation.test_hint':
    'Takes you to the provider and shows the result here. You stay signed in as you are.',
} as const;
