// The lines of an issued bill, and beside them the explanation of the chosen line.
import type { ComponentProps } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { BillLines } from './BillLines.tsx';
import { LinePanel } from './LinePanel.tsx';

type PanelProps = ComponentProps<typeof LinePanel>;

export function ExplainedLines({
  bill,
  query,
  linksUsage = false,
}: {
  readonly bill: ComponentProps<typeof BillLines>['bill'] & PanelProps['bill'] & { readonly number: string };
  readonly query: PanelProps['query'];
  readonly linksUsage?: boolean;
}) {
  const { t } = useTranslation('billing');
  const [lineOfBill, setLine] = useParam('line');
  // A month can have several bills, so the address contains the bill as well as the line.
  const [number, lineId] = lineOfBill?.split('.') ?? [];
  return (
    <Section title={t('billing.lines')} lead={<span data-screen-only>{t('billing.lines_lead')}</span>}>
      <BillLines
        bill={bill}
        label={`${t('billing.lines')} ${bill.number}`}
        onExplain={(line) => setLine(`${bill.number}.${line.id}`)}
      />
      <LinePanel
        bill={bill}
        lineId={number === bill.number ? lineId : undefined}
        query={query}
        linksUsage={linksUsage}
        onClose={() => setLine(undefined)}
      />
    </Section>
  );
}
