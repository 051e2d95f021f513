// The organization's own statement next to bills and payments: entries of what it owes and what it prepaid,
// and the check of the books.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { isCurrency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Statement } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { booksApi, booksKey, booksQueries } from './api.ts';
import { Checks } from './Checks.tsx';
import { Days, useDayParam } from '#platform/web/ui/Day.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { Files } from './Files.tsx';
import { StatementTable, type AmountColumn } from './StatementTable.tsx';

export function OwnStatement() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const [from, setFrom] = useDayParam('from');
  const [to, setTo] = useDayParam('to');
  const [currencyParam, setCurrency] = useParam('currency');
  const range = { ...(from && { from }), ...(to && { to }) };
  const query = usePagedQuery(
    booksQueries.statement({
      ...range,
      ...(currencyParam !== undefined && isCurrency(currencyParam) && { currency: currencyParam }),
    }),
  );
  useLive('bills', [booksKey()]);
  const data = query.data;
  return (
    <Parts>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Days
          from={{ label: t('books.from'), value: from, onChange: setFrom }}
          to={{ label: t('books.to'), value: to, onChange: setTo }}
        />
        {data && data.currencies.length > 1 && (
          <SelectBox
            label={t('books.currency')}
            value={data.currency}
            options={data.currencies.map((one) => ({ value: one, label: one }))}
            onChange={setCurrency}
          />
        )}
        {data && (
          <Box sx={{ marginInlineStart: 'auto' }}>
            <Files
              name={t('books.statement')}
              call={(format, options) =>
                booksApi.exportStatement({ ...range, currency: data.currency, format, language }, options)
              }
            />
          </Box>
        )}
      </Stack>
      <QueryState
        query={query}
        skeleton={
          <Section>
            <Block height={280} />
          </Section>
        }
      >
        {({ owed, prepaid }) => (
          <>
            <Part
              title={t('books.owed')}
              lead={t('books.owed_lead')}
              part={owed}
              after={t('books.owed_after')}
              sides={[
                { key: 'debit', label: t('books.charged'), sum: owed.debits },
                { key: 'credit', label: t('books.paid'), sum: owed.credits },
              ]}
            />
            <Part
              title={t('books.prepaid')}
              lead={t('books.prepaid_lead')}
              part={prepaid}
              after={t('books.left_after')}
              sides={[
                { key: 'credit', label: t('books.added'), sum: prepaid.credits },
                { key: 'debit', label: t('books.used'), sum: prepaid.debits },
              ]}
            />
          </>
        )}
      </QueryState>
      <Checks
        list={booksQueries.listOwnChecks()}
        start={booksApi.runOwnCheck}
        title={t('books.check_own')}
        lead={t('books.check_own_lead')}
      />
    </Parts>
  );
}

function Part({
  title,
  lead,
  part,
  after,
  sides,
}: {
  title: string;
  lead: string;
  part: Statement['owed'];
  after: string;
  sides: readonly [AmountColumn, AmountColumn];
}) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const isWhole = part.items.length === part.total;
  return (
    <Section title={title} lead={lead} flush>
      <StatementTable
        label={title}
        statement={part}
        reader="own"
        sides={sides}
        after={after}
        isWhole={isWhole}
      />
      {!isWhole && (
        <Typography variant="body2" color="textSecondary" sx={{ padding: '12px 24px 16px' }}>
          {t('books.more_in_file', {
            shown: format.number(part.items.length),
            total: format.number(part.total),
          })}
        </Typography>
      )}
    </Section>
  );
}
