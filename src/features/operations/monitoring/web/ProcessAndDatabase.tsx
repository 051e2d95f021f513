// Two parts of the monitoring page: what is known of this process, and of its database.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Monitoring } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { brokenAtParts, MachineName } from '#platform/web/ui/MachineName.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useFold } from './use-fold.tsx';

export function ProcessFacts({ monitoring: { process, readings, live } }: { monitoring: Monitoring }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const title = t('monitoring.part_process');
  const { isOpen, actions } = useFold({ title, verdict: process.verdict });
  const latest = readings.at(-1);
  const milliseconds = (count: number | undefined) =>
    count === undefined ? '–' : t('monitoring.milliseconds', { count: format.number(count) });
  return (
    <Section title={title} actions={actions}>
      {isOpen && (
        <Facts
          items={[
            [t('monitoring.version'), process.version],
            [t('monitoring.node'), process.node],
            [t('monitoring.host'), t('monitoring.process_of', { host: process.host, id: process.processId })],
            [t('monitoring.started'), <Moment key="started" at={process.startedAt} as="dateTime" />],
            [t('monitoring.resident'), format.bytes(process.memoryBytes)],
            [t('monitoring.slowest'), milliseconds(latest?.slowestMs)],
            [t('monitoring.lag'), milliseconds(latest?.lagMs)],
            [t('monitoring.clients'), format.number(live.clients)],
            [t('monitoring.subscriptions'), format.number(live.subscriptions)],
          ]}
        />
      )}
    </Section>
  );
}

/** A migration's date and number, which is unique; the whole name is longer than a line. */
const shortName = (migration: string): string => /\d{8}-\d{4}/.exec(migration)?.[0] ?? migration;

export function DatabaseFacts({ monitoring: { database, isPooled } }: { monitoring: Monitoring }) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  const title = t('monitoring.part_database');
  const { isOpen, actions } = useFold({ title, verdict: database.verdict });
  const replicaText = (replica: Monitoring['database']['replica']): string => {
    if (replica === null) return t('monitoring.replica_none');
    // used as: 'monitoring.replica_away', 'monitoring.replica_late', 'monitoring.replica_other_database'
    if (replica.problem !== null) return t(`monitoring.replica_${replica.problem}`);
    if (replica.isPrimary) return t('monitoring.replica_primary');
    return t('monitoring.replica_behind', {
      ms: format.number(replica.lagMs),
      bytes: format.bytes(replica.lagBytes),
    });
  };
  return (
    <Section title={title} actions={actions}>
      {isOpen && (
        <>
          <Facts
            items={[
              [
                t('monitoring.database_kind'),
                t('monitoring.database_version', {
                  version: database.version,
                  kind: t(database.isEmbedded ? 'monitoring.embedded' : 'monitoring.outside'),
                }),
              ],
              [t('monitoring.database_size'), format.bytes(database.bytes)],
              [
                t('monitoring.answer'),
                t('monitoring.milliseconds', { count: format.number(database.answerMs) }),
              ],
              [
                t('monitoring.connections'),
                t('monitoring.of_most', { count: database.connections, most: database.mostConnections }),
              ],
              [t('monitoring.pooler'), t(isPooled ? 'monitoring.pooled' : 'monitoring.not_pooled')],
              [t('monitoring.replica'), replicaText(database.replica)],
              ...(database.replica === null
                ? []
                : [
                    [
                      t('monitoring.replica_reads'),
                      t('monitoring.replica_answered', {
                        count: format.number(database.replica.answered),
                        most: format.number(database.replica.answered + database.replica.passedOn),
                      }),
                    ] as const,
                  ]),
              [
                t('monitoring.longest'),
                t('monitoring.seconds', { count: format.number(database.longestSeconds) }),
              ],
              [
                t('monitoring.cache'),
                database.cachePercent === null ? '–' : format.percent(database.cachePercent / 100),
              ],
              [
                t('monitoring.migrations'),
                t('monitoring.migration_of', {
                  count: database.migrations,
                  name: shortName(database.lastMigration),
                }),
              ],
            ]}
          />
          <BiggestTables tables={database.tables} />
        </>
      )}
    </Section>
  );
}

function BiggestTables({ tables }: Pick<Monitoring['database'], 'tables'>) {
  const { t } = useTranslation('monitoring');
  const format = useFormat();
  return (
    <Box sx={{ marginTop: 2, overflowX: 'auto' }}>
      <Table size="small" aria-label={t('monitoring.biggest')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('monitoring.biggest')}</TableCell>
            <TableCell align="right">{t('monitoring.size')}</TableCell>
            <TableCell align="right">{t('monitoring.rows')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {tables.map(({ name, bytes, rows }) => (
            <TableRow key={name}>
              <TableCell component="th" scope="row" sx={{ fontWeight: 400, overflowWrap: 'anywhere' }}>
                <MachineName>{brokenAtParts(name)}</MachineName>
              </TableCell>
              <TableCell align="right" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
                {format.bytes(bytes)}
              </TableCell>
              <TableCell align="right" className="tabular">
                {/* 0 also stands for a table whose rows PostgreSQL has not estimated yet. */}
                {rows === 0 ? '–' : format.number(Math.round(rows))}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
