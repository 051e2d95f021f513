// A simple bar beside a figure, to compare figures at a glance.
import Box from '@mui/material/Box';
import { absolute } from '#kernel/money.ts';

/** The part of the whole as a CSS percentage, only for drawing. */
const percentOf = (part: bigint, whole: bigint): number =>
  whole <= 0n ? 0 : Number((absolute(part) * 1000n) / whole) / 10;

export function Bar({
  part,
  whole,
  tone = 'primary',
}: {
  part: bigint;
  whole: bigint;
  tone?: 'primary' | 'warning' | 'success';
}) {
  return (
    <Box aria-hidden sx={{ height: 6, borderRadius: '3px', bgcolor: 'sunken', overflow: 'hidden' }}>
      <Box
        data-bar=""
        sx={{
          height: 1,
          width: `${percentOf(part, whole)}%`,
          minWidth: part === 0n ? 0 : '2px',
          bgcolor: `${tone}.main`,
        }}
      />
    </Box>
  );
}
