// How long people stay signed in, and from which networks: for Admins, for the user's organization, or for
// one that an Admin views.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { typedList } from '#platform/web/form/typed-list.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { mostNetworks, type SessionPolicy } from '../contract.ts';
import { policiesApi, policiesKey, policiesQueries } from './api.ts';

type Fields = Pick<SessionPolicy, 'idleMinutes' | 'sessionHours' | 'networks'>;
/** Options for saving a policy, with the queries to refetch. */
const saving = { invalidates: [policiesKey()] };
// Not refetched on focus, because the answer could overwrite the user's input.
const once = { refetchOnWindowFocus: false } as const;

/** Admins' sessions. */
export function PlatformPolicy() {
  const query = useQuery({ ...policiesQueries.getPlatformPolicy(), ...once });
  const save = useCall(policiesApi.setPlatformPolicy, saving);
  return <PolicySection whose="platform" query={query} onSave={save.mutateAsync} />;
}

/** The sessions of the people in the user's organization. */
export function OwnPolicy() {
  const query = useQuery({ ...policiesQueries.getOwnPolicy(), ...once });
  const save = useCall(policiesApi.setOwnPolicy, saving);
  return <PolicySection whose="own" query={query} onSave={save.mutateAsync} />;
}

/** The sessions of an organization's people, for Admins. */
export function OrganizationPolicy({ organizationId }: { readonly organizationId: Id<'org'> }) {
  const query = useQuery({ ...policiesQueries.getPolicyFor({ organizationId }), ...once });
  const save = useCall(policiesApi.setPolicyFor, saving);
  return (
    <PolicySection
      whose="other"
      query={query}
      onSave={(fields) => save.mutateAsync({ organizationId, ...fields })}
    />
  );
}

type PolicyProps = {
  readonly whose: 'platform' | 'own' | 'other';
  readonly onSave: (fields: Fields) => Promise<unknown>;
};

function PolicySection({ query, ...props }: PolicyProps & { readonly query: UseQueryResult<SessionPolicy> }) {
  const { t } = useTranslation('sessionpolicies');
  return (
    // used as: 'sessionpolicies.lead_*'
    <Section title={t('sessionpolicies.title')} lead={t(`sessionpolicies.lead_${props.whose}`)}>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {(policy) => <PolicyForm key={policy.changedAt?.toISOString() ?? ''} policy={policy} {...props} />}
      </QueryState>
    </Section>
  );
}

/** The choices, in minutes and hours; another value set through the API is added to them. */
const idleChoices = [15, 30, 60, 120, 240, 480];
const hourChoices = [1, 4, 8, 12, 24, 48];
const schema = z.strictObject({
  idle: z.string(),
  hours: z.string(),
  networks: z.string().check(z.maxLength(60 * mostNetworks)),
});
const none = 'none';
const numberOf = (chosen: string): number | null => (chosen === none ? null : Number(chosen));
const withSet = (choices: readonly number[], set: number | null): readonly number[] =>
  set === null || choices.includes(set) ? choices : [...choices, set].toSorted((a, b) => a - b);

function PolicyForm({ policy, whose, onSave }: PolicyProps & { readonly policy: SessionPolicy }) {
  const { t } = useTranslation('sessionpolicies');
  const format = useFormat();
  const { idleMinutes, sessionHours, networks, ownAddress, ownNetwork, changedAt, changedBy } = policy;
  const form = useZodForm(schema, {
    idle: String(idleMinutes ?? none),
    hours: String(sessionHours ?? none),
    networks: networks.join('\n'),
  });
  const lasting = (minutes: number): string =>
    minutes % 60 === 0
      ? t('sessionpolicies.hours', { count: minutes / 60 })
      : t('sessionpolicies.minutes', { count: minutes });
  const submit = async (values: z.output<typeof schema>) => {
    await onSave({
      idleMinutes: numberOf(values.idle),
      sessionHours: numberOf(values.hours),
      networks: typedList(values.networks),
    });
    toast.success(t('sessionpolicies.saved'));
  };
  const typed = typedList(useWatch({ control: form.control, name: 'networks' }));
  const covering = [ownNetwork ?? ownAddress, ownAddress].find((each) => typed.includes(each));
  const addOwn = () => form.setValue('networks', [...typed, ownAddress].join('\n'), { shouldDirty: true });
  return (
    <Box sx={{ maxWidth: 720 }}>
      <Form form={form} onSubmit={submit} label={t('sessionpolicies.title')}>
        <Stack sx={{ gap: 1.5 }}>
          <Box
            sx={{
              display: 'grid',
              gap: '4px 16px',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            <SelectField
              form={form}
              name="idle"
              label={t('sessionpolicies.idle')}
              help={t('sessionpolicies.idle_help')}
              options={[
                { value: none, label: t('sessionpolicies.idle_none') },
                ...withSet(idleChoices, idleMinutes).map((minutes) => ({
                  value: String(minutes),
                  label: lasting(minutes),
                })),
              ]}
            />
            <SelectField
              form={form}
              name="hours"
              label={t('sessionpolicies.longest')}
              help={t('sessionpolicies.longest_help')}
              options={[
                ...withSet(hourChoices, sessionHours).map((hours) => ({
                  value: String(hours),
                  label: lasting(hours * 60),
                })),
                { value: none, label: t('sessionpolicies.longest_none') },
              ]}
            />
          </Box>
          <TextField
            form={form}
            name="networks"
            label={t('sessionpolicies.networks')}
            help={t('sessionpolicies.networks_help')}
            autoComplete="off"
            rows={3}
          />
          {whose !== 'other' && (
            <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minHeight: 32 }}>
              <Typography variant="body2" color="textSecondary">
                {covering === undefined || covering.split('/')[0] === ownAddress
                  ? t('sessionpolicies.own_address', { address: ownAddress })
                  : t('sessionpolicies.own_covered', { address: ownAddress, network: covering })}
              </Typography>
              {covering === undefined && (
                <Button size="small" onClick={addOwn}>
                  {t('sessionpolicies.add_own')}
                </Button>
              )}
            </Stack>
          )}
          <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
            <SubmitButton form={form} {...(whose === 'other' && ({ variant: 'outlined' } as const))}>
              {t('sessionpolicies.save')}
            </SubmitButton>
            {changedAt && (
              <Typography variant="caption" color="textSecondary">
                {t('sessionpolicies.changed', { by: changedBy ?? '', date: format.dateTime(changedAt) })}
              </Typography>
            )}
          </Stack>
        </Stack>
      </Form>
    </Box>
  );
}
