// A payment method's name; a method without one is shown as its code.
import { providers } from '#features/receivables/gateways/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const methods = ['manual', 'bank_transfer', ...providers] as const;

export function useMethodName(): (method: string) => string {
  const { t } = useTranslation('payments');
  // used as: 'payments.method_manual', 'payments.method_bank_transfer', 'payments.method_stripe', 'payments.method_ecpay', 'payments.method_ecpay_atm', 'payments.method_ecpay_cvs'
  return (method) => {
    const known = methods.find((one) => one === method);
    return known ? t(`payments.method_${known}`) : method;
  };
}
