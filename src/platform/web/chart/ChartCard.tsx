// The card around a chart: its title, the switch to a table of the same figures, its picture, and the empty
// state.
import AddPhotoAlternateOutlined from '~icons/ic/outline-add-photo-alternate';
import BarChartOutlined from '~icons/ic/outline-bar-chart';
import TableRowsOutlined from '~icons/ic/outline-table-rows';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import { useEffect, useState, type ReactNode } from 'react';
import { saveFile } from '../api/api.ts';
import { fileDownloaded } from '../api/envelope.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { useFirstScreen } from '../loading/first-screen.ts';
import { toast } from '../toasts/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconAction } from '../ui/IconAction.tsx';
import { Section } from '../ui/Section.tsx';
import { loadEngine } from './engine.ts';
import { FigureTable, type ChartTable } from './FigureTable.tsx';
import { PictureContext, type TakePicture } from './picture-context.ts';

export type ChartCardProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Controls for what is shown, between the header and the chart. */
  readonly controls?: ReactNode;
  readonly table: ChartTable | undefined;
  /** Undefined while loading. */
  readonly children: ReactNode | undefined;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** Replaces "no data in this period". */
  readonly empty?: ReactNode;
  /** 3 inside a section or panel. */
  readonly level?: 2 | 3;
};

/** 320 px on wide screens, 280 and 240 on smaller ones. */
export const chartHeights = { xs: 240, sm: 280, lg: 320 } as const;

export function ChartCard({
  title,
  lead,
  actions,
  controls,
  table,
  children,
  error,
  onRetry,
  empty,
  level = 2,
}: ChartCardProps) {
  const { t } = useTranslation('platform');
  const [isTable, setIsTable] = useState(false);
  const [takePicture, setTakePicture] = useState<TakePicture>();
  const [isTaking, setTaking] = useState(false);
  const isLoading = table === undefined && !error;
  const isFirstScreenDone = useFirstScreen((screen) => screen.stands);
  useEffect(() => {
    // Loads the engine while the data is loading; a chart without an engine shows the error itself.
    if (isLoading && isFirstScreenDone) loadEngine().catch(() => undefined);
  }, [isLoading, isFirstScreenDone]);
  const isEmpty = table !== undefined && table.rows.length === 0;
  const size = { minHeight: chartHeights };
  const content = () => {
    if (error && !table) return <ErrorState error={error} onRetry={onRetry} />;
    if (table === undefined)
      return (
        <Skeleton
          variant="rounded"
          role="status"
          aria-label={t('chart.loading')}
          sx={{ height: chartHeights }}
        />
      );
    if (isEmpty)
      return (
        <Box sx={{ ...size, display: 'grid', placeItems: 'center' }}>
          {empty ?? <EmptyState compact title={t('chart.empty')} />}
        </Box>
      );
    return isTable ? <FigureTable title={title} table={table} /> : children;
  };
  const toggle = table !== undefined && !isEmpty && (
    <Button
      size="small"
      startIcon={isTable ? <BarChartOutlined /> : <TableRowsOutlined />}
      aria-pressed={isTable}
      aria-label={t(isTable ? 'chart.show_chart_of' : 'chart.show_table_of', { title })}
      onClick={() => setIsTable(!isTable)}
      data-screen-only
    >
      {t(isTable ? 'chart.show_chart' : 'chart.show_table')}
    </Button>
  );
  const savePicture = async (take: TakePicture): Promise<void> => {
    setTaking(true);
    try {
      saveFile({
        blob: await take(title),
        fileName: `${title.replaceAll(/[\\/:*?"<>|]/g, ' ')}.png`,
        message: fileDownloaded,
      });
      toast.success(t('ui.downloaded'));
    } catch {
      toast.error(t('chart.no_picture'));
    } finally {
      setTaking(false);
    }
  };
  const picture = takePicture && !isTable && (
    <IconAction
      label={t('chart.save_picture_of', { title })}
      disabled={isTaking}
      onClick={() => void savePicture(takePicture)}
      data-screen-only
    >
      <AddPhotoAlternateOutlined />
    </IconAction>
  );
  return (
    <Section
      title={title}
      level={level}
      lead={lead}
      actions={
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          {actions}
          {/* On phones it may stand below the title: its text begins where the title does. */}
          <Stack
            direction="row"
            sx={{
              alignItems: 'center',
              marginInlineStart: actions === undefined ? '-10px' : 0,
              // Without a picture to take, its text ends where the card's content does.
              '& > .MuiButton-text:last-child': { marginInlineEnd: '-10px' },
            }}
          >
            {toggle}
            {picture}
          </Stack>
        </Stack>
      }
    >
      {controls !== undefined && <Box sx={{ marginBottom: 2 }}>{controls}</Box>}
      <PictureContext value={setTakePicture}>{content()}</PictureContext>
    </Section>
  );
}
