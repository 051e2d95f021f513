// All UI components on one page, during development only.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { money } from '#kernel/money.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { QuotaBar } from '#platform/web/ui/QuotaBar.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { Sparkline } from '#platform/web/ui/Sparkline.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { Steps } from '#platform/web/ui/Steps.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { GalleryCharts } from './GalleryCharts.tsx';
import { GalleryForm } from './GalleryForm.tsx';
import { GalleryList } from './GalleryList.tsx';
import samples from './gallery-samples.json';

const tones = ['success', 'primary', 'error', 'info', 'neutral', 'warning', 'admin', 'alarm'] as const;

export function Gallery() {
  return (
    <Page
      title={samples.title}
      lead={samples.lead}
      actions={<Actions />}
      aside={<StatusBadge tone="info" label={samples.dev} />}
    >
      <Figures />
      <GalleryCharts />
      <GalleryList />
      <Grid columns={2}>
        <Section title={samples.quota}>
          <Stack sx={{ gap: 2 }}>
            <QuotaBar
              label={samples.services[0] ?? ''}
              ratio={0.42}
              level="normal"
              amounts={samples.amounts[0]}
            />
            <QuotaBar
              label={samples.services[1] ?? ''}
              ratio={0.88}
              level="warning"
              amounts={samples.amounts[1]}
            />
            <QuotaBar
              label={samples.services[2] ?? ''}
              ratio={0.97}
              level="critical"
              amounts={samples.amounts[2]}
              outlook={samples.outlook}
            />
            <ProgressBar label={samples.progress} ratio={0.64} note={samples.amounts[3]} />
            <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
              {samples.badges.map((label, index) => (
                <StatusBadge key={label} tone={tones[index] ?? 'neutral'} label={label} />
              ))}
            </Stack>
            <Steps labels={samples.steps} current={1} />
          </Stack>
        </Section>
        <GalleryForm />
      </Grid>
      <Grid columns={2}>
        <Section title={samples.states}>
          <EmptyState
            title={samples.empty}
            hint={samples.emptyHint}
            action={<Button variant="contained">{samples.invite}</Button>}
          />
        </Section>
        <Section>
          <NoMatch onClear={() => undefined} />
        </Section>
      </Grid>
      <ErrorState
        error={
          new ApiError({
            status: 500,
            code: 'platform.fault',
            message: samples.errorText,
            requestId: 'req_01kadq3v8e8w5v7r8m0ab2c3d4',
          })
        }
        onRetry={() => undefined}
      />
    </Page>
  );
}

function Actions() {
  const [open, setOpen] = useState<'confirm' | 'panel'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        variant="outlined"
        onClick={() => {
          toast.success(samples.saved);
          toast.alert('warning', samples.alert);
          toast.error(samples.errorText, { label: samples.edit, onClick: () => undefined });
        }}
      >
        {samples.saved}
      </Button>
      <Button aria-haspopup="dialog" variant="outlined" onClick={() => setOpen('panel')}>
        {samples.panel}
      </Button>
      <Button aria-haspopup="dialog" variant="contained" color="error" onClick={() => setOpen('confirm')}>
        {samples.unsubscribe}
      </Button>
      <ConfirmDialog
        open={open === 'confirm'}
        title={samples.confirmTitle}
        consequences={samples.consequences}
        confirmLabel={samples.unsubscribe}
        tone="danger"
        proof={{ type: samples.services[0] ?? '' }}
        onConfirm={close}
        onClose={close}
      />
      <SidePanel
        open={open === 'panel'}
        title={samples.panel}
        onClose={close}
        footer={
          <Button variant="contained" onClick={close}>
            {samples.edit}
          </Button>
        }
      >
        {samples.lead}
      </SidePanel>
    </>
  );
}

function Figures() {
  const format = useFormat();
  const [spent = '', balance = '', used = '', load = ''] = samples.figures;
  return (
    <Grid columns={4} pairs>
      <StatCard
        label={spent}
        value={format.money(money(4640n, 'TWD'))}
        change={{ direction: 'up', text: '+8.2%' }}
      />
      <StatCard label={balance} value={format.moneyShort(money(1_234_567n, 'TWD'))} note={samples.note} />
      <StatCard label={used} value="76%" graphic={<QuotaBar label={used} ratio={0.76} level="normal" />} />
      <StatCard
        label={load}
        value={undefined}
        graphic={<Sparkline label={load} values={[3, 5, 4, 7, 6, 9, 8, 6, 7, 5, null, 4, 6, 8]} />}
      />
    </Grid>
  );
}
