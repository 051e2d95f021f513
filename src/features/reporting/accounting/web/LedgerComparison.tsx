// Account by account: exported and waiting amounts, compared with the ledger's movement.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { isDay, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { daysOfMonth } from '#kernel/time.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofText } from '#platform/web/ui/ProofText.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { LedgerProof } from '../contract.ts';
import { useAccountName } from './names.ts';

export function LedgerComparison({
  proof,
  period,
}: {
  proof: readonly LedgerProof[];
  period: BillingMonth | LocalDay;
}) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const accountName = useAccountName();
  const wrong = proof.filter(({ isEqual }) => !isEqual);
  const days = isDay(period) ? [period] : daysOfMonth(period);
  const address = (accountKind: LedgerProof['accountKind']) =>
    `/admin/ledger?${new URLSearchParams({ view: 'transactions', accountKind, from: days[0] ?? '', to: days.at(-1) ?? '' }).toString()}`;
  return (
    <Section title={t('accounting.proof')} lead={t('accounting.proof_lead')} flush>
      <PlainTable
        label={t('accounting.proof')}
        words={2}
        heads={[
          t('accounting.account'),
          t('accounting.currency'),
          t('accounting.exported'),
          t('accounting.waiting'),
          t('accounting.ledger'),
        ]}
        rows={proof.map((one) => ({
          key: `${one.ledger.currency} ${one.accountKind}`,
          cells: [
            <Link key="account" component={RouterLink} to={address(one.accountKind)}>
              {accountName(one.accountKind)}
            </Link>,
            one.ledger.currency,
            <Money key="exported" amount={one.exported} />,
            <Money key="waiting" amount={one.waiting} />,
            <Money key="ledger" amount={one.ledger} strong={!one.isEqual} />,
          ],
        }))}
      />
      <ProofText isRight={wrong.length === 0}>
        {wrong.length === 0
          ? t('accounting.proof_right')
          : t('accounting.proof_wrong', {
              accounts: format.list(
                wrong.map(({ accountKind, ledger }) => `${accountName(accountKind)} ${ledger.currency}`),
              ),
            })}
      </ProofText>
    </Section>
  );
}
