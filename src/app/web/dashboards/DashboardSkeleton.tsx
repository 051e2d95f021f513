// A dashboard before its figures: cards without words, because what can be read must not move when they come.
import Card from '@mui/material/Card';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';

const figures = ['first', 'second', 'third', 'fourth'];

export function DashboardSkeleton() {
  return (
    <>
      <Grid columns={4} pairs>
        {figures.map((key) => (
          <Card key={key} sx={{ padding: { xs: '12px', sm: '16px 20px' } }}>
            <Lines count={3} />
          </Card>
        ))}
      </Grid>
      <Card sx={{ padding: { xs: 2, sm: 3 } }}>
        <Lines count={12} />
      </Card>
    </>
  );
}
