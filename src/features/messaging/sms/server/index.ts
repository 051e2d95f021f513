// SMS' public API: its calls, its outbox sender, and sending for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { sms, smsErrors } from '../contract.ts';
import { smsKind, smsSender, testSms } from './send.ts';
import { getSmsSettings, saveSmsSettings } from './settings.ts';

export const smsFeature = feature({
  name: 'sms',
  contract: sms,
  errors: smsErrors,
  verbs: { getSmsSettings, saveSmsSettings, testSms },
  // It calls the gateway, and no transaction may be open meanwhile.
  ownUnitOfWork: ['testSms'],
  senders: { [smsKind]: smsSender },
});

export { hasSms } from './settings.ts';
export { sendSms, smsKind, type SmsMessage } from './send.ts';
