// A payment method's name; one that has none is shown as it is.
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const methods = ['manual', 'bank_transfer', 'stripe', 'ecpay'] as const;

export function useMethodName(): (method: string) => string {
  const { t } = useTranslation('payments');
  // used as: 'payments.method_manual', 'payments.method_bank_transfer', 'payments.method_stripe', 'payments.method_ecpay'
  return (method) => {
    const known = methods.find((one) => one === method);
    return known ? t(`payments.method_${known}`) : method;
  };
}
