// Starts a check of the books, and shows its progress, its results, and earlier runs.
import FactCheckOutlined from '~icons/ic/outline-fact-check';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { CheckRun } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { booksKey } from './api.ts';
import { CheckResults } from './CheckResults.tsx';

type Runs = { readonly items: CheckRun[] };
type ChecksProps = {
  readonly list: Pick<UseQueryOptions<Runs, Error, Runs>, 'queryKey' | 'queryFn'>;
  readonly start: (input: Record<never, never>) => Promise<CheckRun>;
  readonly title: string;
  readonly lead: string;
};

const tones: Readonly<Record<CheckRun['state'], BadgeTone>> = {
  waiting: 'primary',
  running: 'primary',
  passed: 'success',
  warned: 'warning',
  failed: 'error',
  broken: 'error',
};
const alerts = { passed: 'success', warned: 'warning', failed: 'error', broken: 'error' } as const;
const isGoing = (run: CheckRun | undefined): boolean => run?.finishedAt === null;

export function Checks({ list, start, title, lead }: ChecksProps) {
  const { t } = useTranslation('books');
  const query = useQuery({
    ...list,
    refetchInterval: ({ state }) => (isGoing(state.data?.items[0]) ? 1000 : false),
  });
  const [chosen, setChosen] = useParam('check');
  const begin = useCall(start, {
    invalidates: [booksKey()],
    onSuccess: () => setChosen(undefined),
    onError: (error) => toast.failure(error),
  });
  const runs = query.data?.items ?? [];
  const shown = runs.find((run) => run.id === chosen) ?? runs[0];
  const button = (
    <Button
      variant="contained"
      startIcon={<FactCheckOutlined />}
      disabled={query.data === undefined || isGoing(runs[0])}
      loading={begin.isPending}
      onClick={() => begin.mutate({})}
    >
      {title}
    </Button>
  );
  return (
    <Parts>
      <Section title={t('books.check_last')} lead={lead} actions={button} flush>
        <QueryState query={query} skeleton={<Lines count={6} padded />}>
          {() =>
            shown ? (
              <Run run={shown} />
            ) : (
              <EmptyState compact title={t('books.check_none')} hint={t('books.check_none_hint')} />
            )
          }
        </QueryState>
      </Section>
      {runs.length > 1 && <History runs={runs} shown={shown} onChoose={setChosen} />}
    </Parts>
  );
}

function Run({ run }: { run: CheckRun }) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const { state } = run;
  const total = run.expected.length;
  // used as: 'books.verdict_*'
  return (
    <Stack sx={{ gap: 2 }}>
      <Box role="status" sx={{ paddingInline: { xs: '16px', sm: '24px' } }}>
        {state === 'waiting' || state === 'running' ? (
          <ProgressBar
            label={
              state === 'waiting'
                ? t('books.check_waiting')
                : t('books.check_running', {
                    done: format.number(run.checks.length),
                    total: format.number(total),
                  })
            }
            ratio={state === 'waiting' || total === 0 ? undefined : run.checks.length / total}
          />
        ) : (
          <Alert severity={alerts[state]}>
            {t(`books.verdict_${state}`, { problem: run.problem ?? '' })}
          </Alert>
        )}
      </Box>
      {run.checks.length > 0 && <CheckResults checks={run.checks} />}
    </Stack>
  );
}

function History({
  runs,
  shown,
  onChoose,
}: {
  runs: readonly CheckRun[];
  shown: CheckRun | undefined;
  onChoose: (id: string) => void;
}) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const columns: readonly Column<CheckRun>[] = [
    {
      key: 'askedAt',
      label: t('books.check_at'),
      card: 'title',
      render: (run) => (
        <Box
          component="span"
          aria-current={run.id === shown?.id ? 'true' : undefined}
          sx={{ fontWeight: run.id === shown?.id ? 700 : 400 }}
        >
          <Moment at={run.askedAt} as="dateTime" />
        </Box>
      ),
    },
    { key: 'askedBy', label: t('books.check_by'), render: (run) => run.askedBy },
    // used as: 'books.state_*'
    {
      key: 'state',
      label: t('books.check_result'),
      render: (run) => <StatusBadge tone={tones[run.state]} label={t(`books.state_${run.state}`)} />,
    },
  ];
  return (
    <FullTable
      title={t('books.check_history')}
      columns={columns}
      rows={runs}
      rowKey={(run) => run.id}
      rowName={(run) => format.dateTimeTable(run.askedAt)}
      onRowClick={(run) => onChoose(run.id)}
      isPanel={false}
    />
  );
}
