// Uploaded statements, newest first, with the lines that could not be read.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { bankingQueries } from './api.ts';
import { BadLines } from './BadLines.tsx';

const shownAtOnce = 10;

export function Statements() {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const query = useQuery(bankingQueries.listStatements({ limit: shownAtOnce }));
  return (
    <Section title={t('banking.statements')}>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('banking.statements_none')}
            </Typography>
          ) : (
            <Stack sx={{ gap: 2 }}>
              {items.map((statement) => (
                <Box key={statement.id}>
                  <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between' }}>
                    <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
                      <NoWrap
                        text={[statement.fileName, statement.account]
                          .filter((each) => each !== '')
                          .join(' · ')}
                      />
                    </Typography>
                    {statement.closing && <Money amount={statement.closing} />}
                  </Stack>
                  <Typography variant="caption" component="p" color="textSecondary">
                    <NoWrap
                      text={[
                        format.dateTimeTable(statement.uploadedAt),
                        ...(statement.firstDay && statement.lastDay
                          ? [`${format.dayTable(statement.firstDay)} – ${format.dayTable(statement.lastDay)}`]
                          : []),
                        t('banking.statement_rows', {
                          fresh: format.number(statement.fresh),
                          total: format.number(statement.rows),
                        }),
                        ...(statement.isChainWhole === false ? [t('banking.chain_broken')] : []),
                      ].join(' · ')}
                    />
                  </Typography>
                  <BadLines statement={statement} />
                </Box>
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Section>
  );
}
