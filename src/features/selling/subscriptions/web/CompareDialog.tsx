// Two or three services side by side: their cost at the same quantity, and how they differ.
import CheckOutlined from '~icons/ic/outline-check';
import RemoveOutlined from '~icons/ic/outline-remove';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState, type ReactNode } from 'react';
import type { EstimateInput, Service } from '#features/selling/catalogue/contract.ts';
import { countsLimited, limitUnit, unitOf } from '#features/selling/catalogue/rules.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useCompared } from './CompareBar.tsx';
import { dependsOnUsage } from './CostEstimate.tsx';
import type { Comparison } from './overview-state.ts';
import { PriceList } from './PriceList.tsx';
import { estimateRange, everyRate, pricedDimensions } from './estimate-range.ts';
import { initialQuantity } from './quantity-scale.ts';
import { ReleaseState } from './ReleaseState.tsx';
import { ServiceAction } from './ServiceAction.tsx';
import { typeWords } from './ServiceCard.tsx';

export type CompareDialogProps = {
  readonly comparison: Comparison;
  readonly subscriptionOf: (serviceId: string) => string | undefined;
  readonly onSubscribe: (service: Service) => void;
};

export function CompareDialog(props: CompareDialogProps) {
  const { t } = useTranslation('subscriptions');
  const { services, isPending } = useCompared(props.comparison);
  return (
    <Modal
      open
      width="md"
      title={t('subscriptions.compare')}
      onClose={props.comparison.close}
      actions={
        <>
          <CopyButton text={location.href} label={t('subscriptions.compare_copy')} />
          <Button variant="contained" onClick={props.comparison.close}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      {isPending ? (
        <Lines count={8} />
      ) : services.length < 2 ? (
        <Typography>{t('subscriptions.compare_gone')}</Typography>
      ) : (
        <Compared services={services} {...props} />
      )}
    </Modal>
  );
}

function Compared({
  services,
  comparison,
  subscriptionOf,
  onSubscribe,
}: CompareDialogProps & { services: readonly Service[] }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [typed, setTyped] = useState(() => comparison.quantity ?? firstGuessOf(services));
  const quantity = useDebounced(typed.trim());
  const isRight = unsignedDecimal.safeParse(typed.trim()).success;
  const units = [
    ...new Set(services.filter(({ pricing }) => dependsOnUsage(pricing)).map(({ meter }) => unitOf(meter))),
  ].filter((unit) => unit !== '');
  const change = (text: string) => {
    setTyped(text);
    if (unsignedDecimal.safeParse(text.trim()).success) comparison.setQuantity(text.trim());
  };
  const quota = (service: Service): string =>
    !countsLimited(service)
      ? '–'
      : service.quota.type === 'unlimited'
        ? t('subscriptions.quota_unlimited')
        : t('subscriptions.quota_limit', {
            limit: format.quantity(service.quota.limit, limitUnit(service)),
          });
  const features = [...new Set(services.flatMap((service) => service.features))];
  const isPhone = useIsPhone();
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={{ maxWidth: 320 }}>
        <TextBox
          name="quantity"
          label={t('subscriptions.estimate_quantity')}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={change}
          end={units.length === 1 ? units[0] : undefined}
          problem={isRight ? undefined : 'form.invalid'}
          help={units.length > 1 ? t('subscriptions.compare_units') : undefined}
        />
      </Box>
      <TableContainer tabIndex={0} role="region" aria-label={t('subscriptions.compare')}>
        <Table
          aria-label={t('subscriptions.compare')}
          sx={{
            minWidth: isPhone ? services.length * 108 : 140 + services.length * 165,
            tableLayout: 'fixed',
            '& td, & th': {
              verticalAlign: 'top',
              overflowWrap: 'anywhere',
              paddingBlock: '8px',
              paddingInline: { xs: '8px', sm: '12px' },
            },
          }}
        >
          <TableHead>
            <TableRow>
              {!isPhone && (
                <TableCell sx={{ width: 140 }}>
                  <VisuallyHidden>{t('subscriptions.compare_what')}</VisuallyHidden>
                </TableCell>
              )}
              {services.map((service) => (
                <TableCell key={service.id} scope="col">
                  <Typography variant="h3" component="span" color="textPrimary" sx={{ display: 'block' }}>
                    {service.name}
                  </Typography>
                  <Typography variant="caption" color="textSecondary">
                    {typeWords(service)}
                  </Typography>
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            <Row
              label={t('subscriptions.compare_cost')}
              services={services}
              cell={(service) => <Cost service={service} quantity={isRight ? quantity : ''} />}
            />
            <Row
              label={t('subscriptions.price')}
              services={services}
              cell={(service) => <PriceList service={service} />}
            />
            <Row
              label={t('subscriptions.release')}
              services={services}
              cell={({ releaseState }) => <ReleaseState state={releaseState} />}
              textOf={({ releaseState }) => releaseState}
            />
            <Row label={t('subscriptions.quota')} services={services} cell={quota} textOf={quota} />
            <Row
              label={t('subscriptions.billed')}
              services={services}
              cell={({ billingCycle }) =>
                t(billingCycle === 'yearly' ? 'subscriptions.billed_yearly' : 'subscriptions.billed_monthly')
              }
              textOf={({ billingCycle }) => billingCycle}
            />
            <Row
              label={t('subscriptions.trial_label')}
              services={services}
              cell={({ trialDays }) =>
                trialDays === 0
                  ? t('subscriptions.trial_none')
                  : t('subscriptions.trial', { days: trialDays })
              }
              textOf={({ trialDays }) => String(trialDays)}
            />
            {features.map((feature) => (
              <Row
                key={feature}
                label={feature}
                services={services}
                cell={(service) => <FeatureMark feature={service.features.includes(feature)} />}
                textOf={(service) => String(service.features.includes(feature))}
              />
            ))}
            <Row
              label={<VisuallyHidden>{t('subscriptions.subscribe')}</VisuallyHidden>}
              services={services}
              cell={(service) => (
                <ServiceAction
                  service={service}
                  subscriptionId={subscriptionOf(service.id)}
                  onSubscribe={() => onSubscribe(service)}
                />
              )}
            />
          </TableBody>
        </Table>
      </TableContainer>
    </Stack>
  );
}

/** `textOf` returns a cell's text: rows in which services differ are highlighted. */
function Row({
  label,
  services,
  cell,
  textOf,
}: {
  label: ReactNode;
  services: readonly Service[];
  cell: (service: Service) => ReactNode;
  textOf?: (service: Service) => string;
}) {
  const { t } = useTranslation('subscriptions');
  const differs = textOf !== undefined && new Set(services.map(textOf)).size > 1;
  const isPhone = useIsPhone();
  const look = differs ? { bgcolor: 'primary.soft' } : undefined;
  const cells = services.map((service) => <TableCell key={service.id}>{cell(service)}</TableCell>);
  const name = (
    <>
      {label}
      {differs && (
        <Typography
          variant="caption"
          component="span"
          sx={{
            display: isPhone ? 'inline' : 'block',
            marginInlineStart: isPhone ? 1 : 0,
            color: 'primary.softText',
          }}
        >
          {t('subscriptions.compare_differs')}
        </Typography>
      )}
    </>
  );
  if (!isPhone)
    return (
      <TableRow sx={look}>
        <TableCell component="th" scope="row" sx={{ color: 'text.secondary', fontWeight: 400 }}>
          {name}
        </TableCell>
        {cells}
      </TableRow>
    );
  // On phones the services need the whole width, so a row's label is above it.
  return (
    <>
      <TableRow sx={look}>
        <TableCell
          component="th"
          scope="rowgroup"
          colSpan={services.length}
          sx={{
            color: 'text.secondary',
            fontWeight: 400,
            borderBottom: 0,
            height: 'auto',
            paddingBlock: '8px 0 !important',
          }}
        >
          {name}
        </TableCell>
      </TableRow>
      <TableRow sx={look}>{cells}</TableRow>
    </>
  );
}

function useIsPhone(): boolean {
  const theme = useTheme();
  return useMediaQuery(theme.breakpoints.down('sm'));
}

function Cost({ service, quantity }: { service: Service; quantity: string }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { pricing } = service;
  const isRight = !dependsOnUsage(pricing) || unsignedDecimal.safeParse(quantity).success;
  const used = isRight && dependsOnUsage(pricing) ? quantity : '0';
  const dimensions = pricedDimensions(pricing);
  const asked = (input: EstimateInput, isKnown = true) => ({
    ...catalogueQueries.estimate({ serviceId: service.id, ...input }),
    enabled: isRight && isKnown,
  });
  const every = usePagedQuery(asked(everyRate(pricing, used)));
  const { least, most } = estimateRange(pricing, used, every.data ?? {});
  const isKnown = every.data !== undefined && !every.isPlaceholderData;
  const [from, to] = [usePagedQuery(asked(least, isKnown)), usePagedQuery(asked(most, isKnown))];
  const error = every.error ?? from.error ?? to.error;
  const isOld = !isKnown || from.isPlaceholderData || to.isPlaceholderData;
  if (!isRight) return <>–</>;
  if (error)
    return (
      <Typography variant="body2" color="error">
        {error.message}
      </Typography>
    );
  return (
    <Box aria-busy={!from.data || !to.data || isOld} sx={{ opacity: isOld ? 0.6 : 1 }}>
      <Typography className="tabular" sx={{ fontWeight: 700, fontSize: '1.125rem' }}>
        {!from.data || !to.data
          ? '…'
          : from.data.amount.minor === to.data.amount.minor
            ? format.money(from.data.amount)
            : t('subscriptions.compare_range', {
                from: format.money(from.data.amount),
                to: format.money(to.data.amount),
              })}
      </Typography>
      {dependsOnUsage(service.pricing) && (
        <Typography variant="caption" color="textSecondary">
          {t('subscriptions.compare_at', { quantity: format.quantity(quantity, unitOf(service.meter)) })}
        </Typography>
      )}
      {dimensions.length > 0 && (
        <Typography variant="caption" component="p" color="textSecondary">
          {t('subscriptions.compare_by', { values: format.list(dimensions) })}
        </Typography>
      )}
    </Box>
  );
}

function FeatureMark({ feature }: { feature: boolean }) {
  const { t } = useTranslation('subscriptions');
  return (
    <Stack
      component="span"
      direction="row"
      sx={{ gap: 0.5, alignItems: 'center', color: feature ? 'success.main' : 'text.secondary' }}
    >
      {feature ? (
        <CheckOutlined aria-hidden sx={{ fontSize: 18 }} />
      ) : (
        <RemoveOutlined aria-hidden sx={{ fontSize: 18 }} />
      )}
      <span>{t(feature ? 'subscriptions.compare_has' : 'subscriptions.compare_lacks')}</span>
    </Stack>
  );
}

const firstGuessOf = (services: readonly Service[]): string => {
  const measured = services.find(({ pricing }) => dependsOnUsage(pricing));
  return measured ? initialQuantity(measured) : '0';
};
