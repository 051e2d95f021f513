// Notification preferences: each channel with a test, categories by channel, quiet hours, the daily e-mail.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Preferences } from '../contract.ts';
import { PushCard } from '#features/messaging/push/web/parts.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { queryCache, useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { notificationsApi, notificationsKey, notificationsQueries } from './api.ts';
import { ChannelRows } from './ChannelRows.tsx';
import { PreferencesMatrix } from './PreferencesMatrix.tsx';
import { digestCategories, Draft, draftOf, preferencesOf } from './preferences-draft.ts';

export function PreferencesPanel() {
  const query = useQuery(notificationsQueries.preferences());
  return (
    <QueryState query={query} skeleton={<Lines count={12} />}>
      {(preferences) => (
        <Parts>
          <PreferencesForm preferences={preferences} />
          {/* Outside the form: a browser is registered immediately, not when the preferences are saved. */}
          <PushCard />
        </Parts>
      )}
    </QueryState>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation('notifications');
  const form = useZodForm(Draft, draftOf(preferences));
  const save = useCall(notificationsApi.savePreferences, { invalidates: [notificationsKey('preferences')] });
  const submit = async (draft: Draft) => {
    form.reset(draftOf(await save.mutateAsync(preferencesOf(draft))));
    // The profile shows the same switches, so it is refetched.
    void queryCache.invalidateQueries({ queryKey: ['identity'] });
    toast.success(t('notifications.wishes_saved'));
  };
  const [isQuiet, isDigest] = form.watch(['isQuiet', 'isDigest']);
  return (
    <Form form={form} onSubmit={submit} label={t('notifications.tab_preferences')}>
      <Parts>
        <Section title={t('notifications.channels')} lead={t('notifications.channels_lead')} flush>
          <ChannelRows preferences={preferences} form={form} />
        </Section>
        <Section title={t('notifications.matrix')} lead={t('notifications.matrix_lead')} flush>
          <PreferencesMatrix preferences={preferences} form={form} />
        </Section>
        <Section
          title={t('notifications.quiet')}
          lead={t('notifications.quiet_lead', { zone: preferences.timeZone })}
        >
          <CheckField form={form} name="isQuiet" as="switch" label={t('notifications.quiet_on')} />
          {isQuiet && (
            <Stack direction="row" sx={{ gap: 2, marginTop: 2, flexWrap: 'wrap' }}>
              <Box sx={{ width: 150 }}>
                <PickerField
                  form={form}
                  name="quietHours.from"
                  type="time"
                  label={t('notifications.quiet_from')}
                />
              </Box>
              <Box sx={{ width: 150 }}>
                <PickerField
                  form={form}
                  name="quietHours.to"
                  type="time"
                  label={t('notifications.quiet_to')}
                />
              </Box>
            </Stack>
          )}
        </Section>
        <Section title={t('notifications.digest')} lead={t('notifications.digest_what')}>
          <CheckField form={form} name="isDigest" as="switch" label={t('notifications.digest_on')} />
          {isDigest && (
            <Stack sx={{ gap: 1, marginTop: 2 }}>
              <Box sx={{ width: 150 }}>
                <SelectField
                  form={form}
                  name="digestHour"
                  label={t('notifications.digest_hour')}
                  options={hours}
                />
              </Box>
              <Typography variant="subtitle2" component="p" id="digest-categories">
                {t('notifications.digest_categories')}
              </Typography>
              <Stack
                direction="row"
                role="group"
                aria-labelledby="digest-categories"
                sx={{ gap: '0 16px', flexWrap: 'wrap' }}
              >
                {/* used as: 'notifications.category_*' */}
                {digestCategories.map((category) => (
                  <CheckField
                    key={category}
                    form={form}
                    name={`digest.${category}`}
                    label={t(`notifications.category_${category}`)}
                  />
                ))}
              </Stack>
            </Stack>
          )}
        </Section>
      </Parts>
      <UnsavedBar form={form} />
    </Form>
  );
}
