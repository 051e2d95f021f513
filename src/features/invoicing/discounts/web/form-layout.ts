// How the forms of discounts are laid out: two fields side by side where there is room.
export const pair = {
  display: 'grid',
  columnGap: '16px',
  rowGap: '12px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
