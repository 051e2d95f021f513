// Identity's sentences in English.
export const enUS = {
  'login.incorrect': 'Incorrect account or password',
  'identity.session_ended': 'Your session has ended. Please sign in again.',
  'identity.wait': 'Too many failed sign-ins. Try again in {{retryAfter}} seconds.',
  'identity.password_wrong': 'The current password is not right.',
  'identity.account_taken': 'This account is taken. Use another e-mail address.',
  'identity.user_not_found': 'There is no such user.',
  'identity.organization_not_found': 'There is no such organization.',
  'identity.key_not_found': 'There is no such API key. It may have been revoked.',
  'identity.session_not_found': 'There is no such session. It may have ended.',
  'identity.last_admin': 'This is the last active Admin. Make somebody else an Admin first.',
  'identity.organization_required': 'This role belongs to an organization. Choose one.',
  'identity.password_too_short': 'The password needs at least {{minimum}} characters.',
  'identity.tax_id_invalid': 'This tax id (統一編號) is not valid. Check its 8 digits.',
  'identity.time_zone_unknown': 'There is no such time zone. Use a name like Asia/Taipei.',
  'identity.busy': 'Too many people are signing in right now. Try again in a few seconds.',
} as const;
