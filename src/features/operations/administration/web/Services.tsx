// The external services of the console: whether each is configured, and a test with its result.
import NetworkCheckOutlined from '~icons/ic/outline-network-check';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { services, type Service } from '../contract.ts';
import { OwnChannelTest } from '#features/messaging/notifications/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationApi, administrationQueries } from './api.ts';

const hasMail = (items: readonly { readonly name: string; readonly isGiven: boolean }[]): boolean =>
  items.some(({ name, isGiven }) => name === 'SMTP_URL' && isGiven);

export function Services() {
  const { t } = useTranslation('administration');
  const query = useQuery(administrationQueries.environment());
  return (
    <Section
      title={t('administration.section_services')}
      lead={t('administration.section_services_lead')}
      flush
    >
      <QueryState query={query} skeleton={<Block height={280} />}>
        {({ items, services: states }) => (
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
            <Row
              name={t('administration.service_mail')}
              isOn={hasMail(items)}
              description={hasMail(items) ? undefined : t('administration.service_mail_how')}
            >
              <OwnChannelTest channel="email" />
            </Row>
            <Row
              name={t('administration.service_push')}
              isOn
              description={t('administration.service_push_how')}
            >
              <OwnChannelTest channel="push" />
            </Row>
            {/* used as: 'administration.service_*' */}
            {services.map((service) => {
              const isOn = states.some((state) => state.service === service && state.isOn);
              return (
                <Row
                  key={service}
                  name={t(`administration.service_${service}`)}
                  isOn={isOn}
                  description={isOn ? undefined : t(`administration.service_${service}_how`)}
                >
                  {isOn && <ServiceTest service={service} />}
                </Row>
              );
            })}
          </Box>
        )}
      </QueryState>
    </Section>
  );
}

/** `description` says how to set it up, while it is not. */
function Row({
  name,
  isOn,
  description,
  children,
}: {
  name: string;
  isOn: boolean;
  description: string | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('administration');
  return (
    <Box
      component="li"
      sx={{ padding: { xs: '14px 16px', sm: '14px 24px' }, borderTop: '1px solid', borderColor: 'divider' }}
    >
      <Stack
        direction="row"
        sx={{
          marginBottom: description === undefined ? 1 : 0,
          gap: 1,
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
        }}
      >
        <Typography variant="subtitle2" component="h3">
          {name}
        </Typography>
        <StatusBadge
          tone={isOn ? 'success' : 'neutral'}
          label={t(isOn ? 'administration.service_on' : 'administration.service_not_set')}
        />
      </Stack>
      {description !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
          {description}
        </Typography>
      )}
      {children}
    </Box>
  );
}

function ServiceTest({ service }: { service: Service }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const test = useCall(administrationApi.testService);
  // used as: 'administration.service_*'
  const name = t(`administration.service_${service}`);
  return (
    <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<NetworkCheckOutlined />}
        loading={test.isPending}
        loadingPosition="start"
        aria-label={t('administration.service_test_name', { name })}
        onClick={() => test.mutate({ service })}
      >
        {t('administration.service_test')}
      </Button>
      <Box role="status" sx={{ width: '100%' }}>
        {test.error && <Alert severity="error">{test.error.message}</Alert>}
        {test.data && !test.isPending && (
          <Alert severity={test.data.isGood ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
            {t(test.data.isGood ? 'administration.service_answered' : 'administration.service_failed', {
              message: test.data.message,
              ms: format.number(test.data.tookMs),
            })}
          </Alert>
        )}
      </Box>
    </Stack>
  );
}
