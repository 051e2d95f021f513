// The security headers of the console's own page, as this browser receives them.
import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { headerChecks, type HeaderCheck } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { FullTable } from '#platform/web/ui/FullTable.tsx';

const isSecure = (): boolean => window.location.protocol === 'https:';

/** Reads the page, not the API, because the page's policy decides which scripts can run. */
async function readHeaders(): Promise<readonly HeaderCheck[]> {
  const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
  return headerChecks(answer.headers, isSecure());
}

export function HeadersInForce() {
  const { t } = useTranslation('security');
  const query = useQuery({ queryKey: ['security', 'headers'], queryFn: readHeaders });
  const columns: readonly Column<HeaderCheck>[] = [
    {
      key: 'name',
      label: t('security.header'),
      card: 'title',
      width: 280,
      render: ({ name }) => <code>{name}</code>,
    },
    {
      key: 'state',
      label: t('security.header_state'),
      width: 120,
      render: ({ isGood }) => (
        <StatusBadge
          tone={isGood ? 'success' : 'error'}
          label={t(isGood ? 'security.header_good' : 'security.header_bad')}
        />
      ),
    },
    {
      key: 'value',
      label: t('security.header_value'),
      render: ({ value }) => (value === null ? t('security.header_missing') : <code>{value}</code>),
    },
  ];
  return (
    <QueryState
      query={query}
      errorTitle={t('security.headers_failed')}
      skeleton={
        <Section title={t('security.headers_title')}>
          <Block height={200} />
        </Section>
      }
    >
      {(checks) => (
        <>
          <FullTable
            title={t('security.headers_title')}
            lead={t('security.headers_lead')}
            columns={columns}
            rows={checks}
            rowKey={({ name }) => name}
            rowName={({ name }) => name}
          />
          {!isSecure() && <Alert severity="info">{t('security.headers_plain')}</Alert>}
        </>
      )}
    </QueryState>
  );
}
