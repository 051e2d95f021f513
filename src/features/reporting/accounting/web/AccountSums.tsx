// Debits and credits of each account of the accounting program, and proof that both sides are equal in every
// currency.
import type { Out } from '#kernel/contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofText } from '#platform/web/ui/ProofText.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { accounting } from '../contract.ts';

type Sums = Pick<Out<typeof accounting.getJournal>, 'accounts' | 'totals'>;

export function AccountSums({ accounts, totals, level = 2 }: Sums & { level?: 2 | 3 }) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  return (
    <Section title={t('accounting.sums')} lead={t('accounting.sums_lead')} level={level} flush>
      <PlainTable
        label={t('accounting.sums')}
        words={3}
        heads={[
          t('accounting.code'),
          t('accounting.name'),
          t('accounting.department'),
          t('accounting.debit'),
          t('accounting.credit'),
        ]}
        rows={accounts.map((one) => ({
          key: `${one.debit.currency} ${one.code} ${one.department} ${one.name}`,
          cells: [
            one.code,
            one.name,
            one.department,
            <Money key="debit" amount={one.debit} />,
            <Money key="credit" amount={one.credit} />,
          ],
        }))}
      />
      {totals.map(({ currency, debit, credit }) => (
        <ProofText key={currency} isRight={debit.minor === credit.minor}>
          {t(debit.minor === credit.minor ? 'accounting.balanced' : 'accounting.unbalanced', {
            currency,
            debit: format.money(debit),
            credit: format.money(credit),
          })}
        </ProofText>
      ))}
    </Section>
  );
}
