// The columns of the list of rejected events.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PathName } from '#platform/web/ui/PathName.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Rejected } from '../contract.ts';
import type { Reader } from './api.ts';
import { useReasonName } from './reasons.ts';

export function useRejectedColumns(reader: Reader): readonly Column<Rejected>[] {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const nameOf = useReasonName();
  const below = (text: ReactNode) =>
    text !== null && (
      <Typography
        variant="caption"
        component="span"
        color="textSecondary"
        sx={{ display: 'block', overflowWrap: 'anywhere' }}
      >
        {text}
      </Typography>
    );
  return [
    {
      key: 'eventId',
      label: t('rejections.column_eventId'),
      card: 'title',
      width: '26%',
      render: (row) => (
        <>
          {row.eventId ?? t('rejections.no_id')}
          {below(row.type)}
          {row.source !== null && below(<PathName>{row.source}</PathName>)}
        </>
      ),
    },
    {
      key: 'reason',
      label: t('rejections.column_reason'),
      width: '36%',
      render: (row) => (
        <Box sx={{ minWidth: { sm: 180 } }}>
          {nameOf(row.code)}
          {below(row.message)}
        </Box>
      ),
    },
    ...(reader === 'admin'
      ? [
          {
            key: 'organization',
            label: t('rejections.column_organization'),
            width: '18%',
            render: (row: Rejected) =>
              row.organization === null && row.keyName === null ? (
                '–'
              ) : (
                <>
                  {row.organization}
                  {below(row.keyName)}
                </>
              ),
          },
        ]
      : []),
    {
      key: 'times',
      label: t('rejections.column_times'),
      align: 'right',
      show: 'wide',
      sortable: true,
      render: (row) => <span className="tabular">{format.number(row.times)}</span>,
    },
    {
      key: 'lastReceivedAt',
      label: t('rejections.column_lastReceivedAt'),
      sortable: true,
      width: 150,
      render: (row) => <Moment at={row.lastReceivedAt} as="dateTime" />,
    },
  ];
}
