// A progress bar with its label and percentage.
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useFormat } from '../format/use-format.ts';

/** `ratio` from 0 to 1; undefined while the progress is unknown. */
export function ProgressBar({
  label,
  ratio,
  note,
}: {
  label: string;
  ratio: number | undefined;
  note?: ReactNode;
}) {
  const format = useFormat();
  return (
    <Box sx={{ display: 'grid', gap: '4px' }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1 }}>
        <Typography variant="body2">{label}</Typography>
        {ratio !== undefined && (
          <Typography variant="body2" color="textSecondary" className="tabular">
            {format.percent(Math.floor(ratio * 100) / 100)}
          </Typography>
        )}
      </Stack>
      <LinearProgress
        aria-label={label}
        {...(ratio === undefined ? {} : { variant: 'determinate', value: Math.min(ratio, 1) * 100 })}
      />
      {note !== undefined && (
        <Typography variant="caption" color="textSecondary">
          {note}
        </Typography>
      )}
    </Box>
  );
}
