// SMS' public API: its calls, its sender, and how other columns send text messages.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { sms, smsErrors } from '../contract.ts';
import { smsKind, smsSender, testSms } from './send.ts';
import { getSmsSettings, saveSmsSettings } from './settings.ts';

export const smsFeature = feature({
  name: 'sms',
  contract: sms,
  errors: smsErrors,
  verbs: { getSmsSettings, saveSmsSettings, testSms },
  // It asks the gateway: no transaction may wait for that.
  ownUnitOfWork: ['testSms'],
  senders: { [smsKind]: smsSender },
});

export { hasSms } from './settings.ts';
export { sendSms, smsKind, type SmsMessage } from './send.ts';
