// The usage and cost of each service in a month; a click opens the events behind it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { decimal } from '#kernel/decimal.ts';
import { moneyDecimal, type Money as Amount } from '#kernel/money.ts';
import type { ChargeMonth, Statistics } from '../contract.ts';
import { ChargeList, useChargeWord } from './ChargeUsage.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money, Quantity } from '#platform/web/ui/Money.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

type Service = Statistics['services'][number];
export type ServiceTableProps = {
  readonly figures: Statistics | undefined;
  readonly onOpen: (subscriptionId: string) => void;
};

export function ServiceTable({ figures, onOpen }: ServiceTableProps) {
  const { t } = useTranslation('usage');
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  if (!figures)
    return (
      <Section title={t('usage.by_service')}>
        <Lines />
      </Section>
    );
  const View = isPhone ? Cards : Rows;
  return (
    <Section title={t('usage.by_service')} lead={t('usage.by_service_lead')} flush>
      <View services={figures.services} onOpen={onOpen} />
    </Section>
  );
}

type ViewProps = { readonly services: readonly Service[]; readonly onOpen: (subscriptionId: string) => void };

/** The columns in which some service has a value; those of only dashes are left out. */
type Columns = { readonly included: boolean; readonly change: boolean };

/** Hidden on tablets because there is not enough room. */
const wide = { display: { xs: 'none', md: 'table-cell' } } as const;

function Rows({ services, onOpen }: ViewProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const columns: Columns = { included: services.some(hasIncluded), change: services.some(hasChange) };
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('usage.by_service')}
      sx={{
        position: 'relative',
        '& tr > :first-child': { paddingInlineStart: '24px' },
        '& tr > :last-child': { paddingInlineEnd: '24px' },
        // On tablets the last column is not shown.
        '& tr > :nth-last-child(2)': { paddingInlineEnd: { sm: '24px', md: '16px' } },
      }}
    >
      <Table aria-label={t('usage.by_service')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('usage.service')}</TableCell>
            <TableCell align="right">{t('usage.quantity')}</TableCell>
            {columns.included && (
              <>
                <TableCell align="right" sx={wide}>
                  {t('usage.included')}
                </TableCell>
                <TableCell align="right">{t('usage.billable')}</TableCell>
              </>
            )}
            {columns.change && <TableCell align="right">{t('usage.change')}</TableCell>}
            <TableCell align="right">{t('usage.cost')}</TableCell>
            <TableCell align="right" sx={wide}>
              {t('usage.share')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& td, & th': { paddingBlock: '8px' } }}>
          {services.flatMap((service) => [
            <TableRow key={service.subscriptionId} hover>
              <TableCell component="th" scope="row" sx={{ fontWeight: 400, minWidth: 200 }}>
                <Name service={service} onOpen={onOpen} />
              </TableCell>
              <TableCell align="right">
                <Used service={service} />
              </TableCell>
              {columns.included && (
                <>
                  <TableCell align="right" sx={wide}>
                    <Included service={service} />
                  </TableCell>
                  <TableCell align="right">
                    <Billable service={service} />
                  </TableCell>
                </>
              )}
              {columns.change && (
                <TableCell align="right" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
                  <Change service={service} />
                </TableCell>
              )}
              <TableCell align="right">
                <Cost exact={service.cost} amount={service.billed} />
              </TableCell>
              <TableCell align="right" className="tabular" sx={wide}>
                {format.percent(service.share / 100)}
              </TableCell>
            </TableRow>,
            ...chargesOf(service).map((charge) => (
              <ChargeRow
                key={`${service.subscriptionId} ${charge.key ?? charge.kind}`}
                charge={charge}
                columns={columns}
              />
            )),
          ])}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Cards({ services, onOpen }: ViewProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  return (
    <Box component="ul" aria-label={t('usage.by_service')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {services.map((service) => (
        <Box
          component="li"
          key={service.subscriptionId}
          sx={{ padding: '12px 16px', borderTop: '1px solid', borderColor: 'divider' }}
        >
          <Name service={service} onOpen={onOpen} />
          <Box
            component="dl"
            sx={{
              display: 'grid',
              gridTemplateColumns: 'minmax(88px, 35%) minmax(0, 1fr)',
              gap: '4px 12px',
              margin: '4px 0 0',
              fontSize: '0.875rem',
              lineHeight: 22 / 14,
              '& dt': { color: 'text.secondary' },
              '& dd': { margin: 0 },
            }}
          >
            <dt>{t('usage.quantity')}</dt>
            <dd>
              <Used service={service} />
            </dd>
            {hasIncluded(service) && (
              <>
                <dt>{t('usage.included')}</dt>
                <dd>
                  <Included service={service} />
                </dd>
                <dt>{t('usage.billable')}</dt>
                <dd>
                  <Billable service={service} />
                </dd>
              </>
            )}
            {hasChange(service) && (
              <>
                <dt>{t('usage.change')}</dt>
                <dd className="tabular">
                  <Change service={service} />
                </dd>
              </>
            )}
            <dt>{t('usage.cost')}</dt>
            <dd>
              <Cost exact={service.cost} amount={service.billed} />
            </dd>
            <dt>{t('usage.share')}</dt>
            <dd className="tabular">{format.percent(service.share / 100)}</dd>
          </Box>
          {chargesOf(service).length > 0 && (
            <Box sx={{ marginTop: '8px' }}>
              <ChargeList charges={chargesOf(service)} label={t('usage.charge')} />
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}

function Name({ service, onOpen }: { service: Service; onOpen: (subscriptionId: string) => void }) {
  return (
    <Button
      aria-haspopup="dialog"
      variant="text"
      size="small"
      onClick={() => onOpen(service.subscriptionId)}
      sx={{
        marginInlineStart: '-10px',
        textAlign: 'start',
        whiteSpace: 'normal',
        justifyContent: 'flex-start',
        overflowWrap: 'anywhere',
      }}
    >
      {service.serviceName}
    </Button>
  );
}

/** The charges below a service; with a single charge, the row is enough. */
const chargesOf = ({ charges = [] }: Service): readonly ChargeMonth[] => (charges.length > 1 ? charges : []);

function ChargeRow({ charge, columns }: { charge: ChargeMonth; columns: Columns }) {
  const nameOf = useChargeWord();
  const { kind, quantity, unit, cost, billed } = charge;
  return (
    <TableRow sx={{ '& td, & th': { paddingBlock: '4px', color: 'text.secondary', fontSize: '0.8125rem' } }}>
      <TableCell component="th" scope="row" sx={{ fontWeight: 400, overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ display: 'block', paddingInlineStart: '16px' }}>
          {nameOf(charge)}
        </Box>
      </TableCell>
      <TableCell align="right">
        {kind === 'usage' ? <Quantity isBrief value={quantity} unit={unit} /> : '–'}
      </TableCell>
      {columns.included && (
        <>
          <TableCell sx={wide} />
          <TableCell />
        </>
      )}
      {columns.change && <TableCell />}
      <TableCell align="right" className="tabular">
        <Cost exact={cost} amount={billed} />
      </TableCell>
      <TableCell sx={wide} />
    </TableRow>
  );
}

/** The single quantity of a service; with several charges, each shows its quantity below. */
function Used({ service: { quantity, unit, charges } }: { service: Service }) {
  const isOne = charges === undefined || charges.filter(({ kind }) => kind === 'usage').length === 1;
  const [first] = (charges ?? []).filter(({ kind }) => kind === 'usage');
  return isOne ? <Quantity isBrief value={first?.quantity ?? quantity} unit={first?.unit ?? unit} /> : <>–</>;
}

/**
 * A service without a usage price has no included quantity and no overage; charges show theirs on the bill.
 */
const hasIncluded = (service: Service): service is Service & { readonly included: string } =>
  service.included !== null && service.charges === undefined;

function Included({ service }: { service: Service }) {
  return hasIncluded(service) ? <Quantity isBrief value={service.included} unit={service.unit} /> : <>–</>;
}
function Billable({ service }: { service: Service }) {
  return hasIncluded(service) ? <Quantity isBrief value={service.billable} unit={service.unit} /> : <>–</>;
}

/** The billed amount, with the exact one below if it was rounded. */
function Cost({ exact, amount }: { exact: Service['cost']; amount: Amount }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  return (
    <>
      <Money amount={amount} />
      {!decimal(exact.amount).eq(moneyDecimal(amount)) && (
        <Typography
          variant="caption"
          component="span"
          color="textSecondary"
          className="tabular"
          sx={{ display: 'block', whiteSpace: 'nowrap' }}
        >
          {t('usage.exact', { amount: format.brief(exact.amount) })}
        </Typography>
      )}
    </>
  );
}

/** Several charges have no single quantity that could have changed, and nothing may have been used at all. */
const hasChange = ({ quantity, previousQuantity, charges }: Service): boolean =>
  !decimal(previousQuantity).eq('0') || (charges === undefined && !decimal(quantity).eq('0'));

/** The change of the quantity since the previous month. */
function Change({ service }: { service: Service }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  if (!hasChange(service)) return <>–</>;
  const { quantity, previousQuantity } = service;
  const before = decimal(previousQuantity);
  if (before.eq('0')) return <>{t('usage.new')}</>;
  const difference = decimal(quantity).minus(before);
  if (difference.eq('0')) return <>{t('trend.flat')}</>;
  // used as: 'trend.*'
  const direction = difference.gt('0') ? 'up' : 'down';
  // Only for display; the quantities stay exact.
  return (
    <>
      <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>{' '}
      <VisuallyHidden>{t(`trend.${direction}`)}</VisuallyHidden>
      {format.percentChange(Number(difference.toFixed()) / Number(before.toFixed()))}
    </>
  );
}
