// The label of an input's field, and its value as text: translated if possible, otherwise as in the API.
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
  'bank',
  'holder',
  'percent',
  'lines',
  'net',
  'withheldOn',
  'certificate',
  'parts',
  'rowId',
  'total',
  'startsOn',
  'expiresOn',
  'priority',
  'pricing',
  'charges',
  'unitPrice',
  'baseFee',
  'model',
  'category',
  'type',
  'effectiveFrom',
  'until',
  'language',
  'phone',
  'baseRole',
  'customRoleId',
  'defaultRole',
  'action',
  'filter',
  'ids',
  'hour',
  'isOn',
  'keepDaily',
  'keepWeekly',
  'keepMonthly',
  'subjectId',
  'addresses',
  'limitId',
  'grantId',
  'backupId',
  'exportId',
  'providerId',
  'keyId',
  'isActive',
  'entityId',
  'ssoUrl',
  'mustUse',
  'file',
] as const;
/** Fields whose values are keywords of the API. */
const choices = [
  'action',
  'role',
  'baseRole',
  'defaultRole',
  'status',
  'what.kind',
  'isOn',
  'isActive',
  'mustUse',
];
const values = [
  'Admin',
  'User',
  'ReadOnly',
  'active',
  'inactive',
  'percent',
  'rest',
  'true',
  'false',
  'lines',
  'net',
  'activate',
  'deactivate',
  'delete',
  'restore',
  'resetPassword',
] as const;

export function useFieldLabel(): (path: string) => string {
  const { t } = useTranslation('approvals');
  // `pricing.charges.2.unitPrice`: each part gets its own label; list indexes stay numbers.
  const partOf = (part: string): string => {
    const known = worded.find((name) => name === part);
    // used as: 'approvals.field_*'
    return known === undefined ? part : t(`approvals.field_${known}`);
  };
  return (path) => {
    if (path === 'what.kind') return t('approvals.field_what_kind');
    return path
      .split('.')
      .filter((part) => part !== 'what')
      .map(partOf)
      .join(' · ');
  };
}

export function useFieldValue(): (path: string, value: string) => string {
  const { t } = useTranslation('approvals');
  return (path, value) => {
    if (path.endsWith('percent')) return `${value}%`;
    const known = choices.includes(path) ? values.find((word) => word === value) : undefined;
    // used as: 'approvals.value_*'
    return known === undefined ? value : t(`approvals.value_${known}`);
  };
}
