// What a field of an input is called: in words where there are some, else by its name in the API.
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const worded = [
  'reason',
  'amount',
  'currency',
  'name',
  'account',
  'role',
  'status',
  'billId',
  'userId',
  'organizationId',
  'serviceId',
  'paymentId',
  'month',
  'note',
  'description',
  'permissions',
  'scope',
  'expiresAt',
  'chosen',
  'days',
  'password',
  'link',
  'secret',
  'kind',
] as const;

export function useFieldLabel(): (path: string) => string {
  const { t } = useTranslation('approvals');
  return (path) => {
    const known = worded.find((name) => name === path);
    // used as: 'approvals.field_*'
    return known === undefined ? path : t(`approvals.field_${known}`);
  };
}
