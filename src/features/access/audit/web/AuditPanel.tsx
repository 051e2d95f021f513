// One row of the audit log: who, what, when, what it changed, and its position in the chain.
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import type { AuditDetail } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { auditQueries } from './api.ts';
import { changesOf, otherDetails, type Change } from './diff.ts';
import { pageOfSubject } from './subject-page.ts';

export function AuditPanel({
  rowId,
  onClose,
  onSearch,
}: {
  rowId: string;
  onClose: () => void;
  onSearch: (q: string) => void;
}) {
  const { t } = useTranslation('audit');
  const language = useLanguage();
  const query = useQuery(auditQueries.getAudit({ rowId: rowId as Id<'aud'>, language }));
  const { data } = query;
  return (
    <SidePanel
      open
      title={t('audit.detail')}
      onClose={onClose}
      width={600}
      footer={
        data && (
          <>
            {data.subject !== null && (
              <Button variant="outlined" onClick={() => onSearch(data.subject ?? '')}>
                {t('audit.same_subject')}
              </Button>
            )}
            <Button variant="outlined" onClick={() => onSearch(data.requestId)}>
              {t('audit.same_request')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(row) => <Content row={row} />}
      </QueryState>
    </SidePanel>
  );
}

function Content({ row }: { row: AuditDetail }) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const [changes, noted] = [changesOf(row.detail), otherDetails(row.detail)];
  // used as: 'audit.actor_*'
  const actor = [
    row.actor.name,
    row.actor.account,
    row.actor.kind === 'user' ? '' : t(`audit.actor_${row.actor.kind}`),
  ]
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack sx={{ gap: 0.5 }}>
        <Typography variant="h3" component="p">
          {row.actionName}
        </Typography>
        <Code text={row.action} />
      </Stack>
      <Facts
        items={[
          [t('audit.at'), <Moment key="at" at={row.at} as="dateTime" />],
          [t('audit.actor'), actor],
          ...(row.subject === null
            ? []
            : [
                [
                  t('audit.subject'),
                  <span key="subject">
                    {row.subjectName !== null && (
                      <>
                        <SubjectName subject={row.subject} name={row.subjectName} /> ·{' '}
                      </>
                    )}
                    <Code text={row.subject} />
                  </span>,
                ] as const,
              ]),
          [t('audit.request'), <Code key="request" text={row.requestId} />],
          [t('audit.seq'), format.number(row.seq)],
          [t('audit.row_id'), <Code key="id" text={row.id} />],
          [
            t('audit.hash'),
            <span key="hash">
              <Code text={row.hash} /> <CopyButton inText text={row.hash} label={t('audit.copy_hash')} />
            </span>,
          ],
        ]}
      />
      {changes.length > 0 && <Changes changes={changes} />}
      <section>
        <Typography variant="subtitle2" component="h3" sx={{ marginBottom: 1 }}>
          {t('audit.noted')}
        </Typography>
        {noted.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('audit.nothing_noted')}
          </Typography>
        ) : (
          <Facts items={noted.map(([name, value]) => [name, <Code key={name} text={value} />] as const)} />
        )}
      </section>
    </Stack>
  );
}

/** A name with a link, if its subject has a page. A deleted subject has neither. */
function SubjectName({ subject, name }: { subject: string; name: string }) {
  const page = pageOfSubject(subject);
  return page === undefined ? (
    name
  ) : (
    <Link component={RouterLink} to={page}>
      {name}
    </Link>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation('audit');
  const value = (text: string | undefined) =>
    text === undefined ? (
      <Typography component="span" variant="body2" color="textSecondary">
        {t('audit.unset')}
      </Typography>
    ) : (
      text
    );
  return (
    <section>
      <Typography variant="subtitle2" component="h3" sx={{ marginBottom: 1 }}>
        {t('audit.changes')}
      </Typography>
      <TableContainer tabIndex={0} role="region" aria-label={t('audit.changes')}>
        <Table
          size="small"
          aria-label={t('audit.changes')}
          sx={{ '& td, & th': { verticalAlign: 'top', overflowWrap: 'anywhere' } }}
        >
          <TableHead>
            <TableRow>
              <TableCell>{t('audit.field')}</TableCell>
              <TableCell>{t('audit.before')}</TableCell>
              <TableCell>{t('audit.after')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {changes.map(({ field, before, after }) => (
              <TableRow key={field}>
                <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
                  <Code text={field === '' ? '–' : field} />
                </TableCell>
                <TableCell
                  sx={{ color: 'error.main', textDecoration: before === undefined ? 'none' : 'line-through' }}
                >
                  {value(before)}
                </TableCell>
                <TableCell sx={{ color: 'success.main' }}>{value(after)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </section>
  );
}

function Code({ text }: { text: string }) {
  return (
    <Typography
      component="span"
      sx={{ fontFamily: 'monospace', fontSize: '0.8125rem', overflowWrap: 'anywhere' }}
    >
      {text}
    </Typography>
  );
}
