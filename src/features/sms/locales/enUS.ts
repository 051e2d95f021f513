// SMS' sentences in English.
export const enUS = {
  'sms.off': 'There is no SMS gateway, or it is turned off. Save one and turn it on first.',
  'sms.gateway_refused': 'The SMS gateway refused the message: {{reason}}',
  'sms.gateway_silent': 'The SMS gateway did not answer properly: {{reason}}. Check its address and try again later.',
  'sms.number_wrong': 'This is no phone number. Enter for example 0912345678 or +886912345678.',
  'sms.url_unsafe': 'The address must begin with https:// (http:// only on this machine) and carry no credentials.',
  'sms.account_missing': 'Twilio needs the account SID.',
  'sms.from_missing': 'Twilio needs a sending number.',
  'sms.from_environment': 'The SMS gateway is set by the environment (SMS_GATEWAY_URL) and cannot be changed here. Change the environment and start again.',
  'sms.test_text': 'This is a test message of the console. Text messages work.',
} as const;
