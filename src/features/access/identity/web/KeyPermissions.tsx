// The permissions of a new key: areas of the console, each to read and to write.
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import {
  isPermission,
  keyAreas,
  permissions,
  permissionVerbs,
  type Permission,
} from '#kernel/permissions.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const cell = { padding: '0 8px', textAlign: 'center', width: 72 } as const;

/** `only`: the permissions to choose from; by default all. */
export function KeyPermissions<In extends FieldValues, Sent>({
  form,
  name,
  only = permissions,
}: InForm<In, Sent> & { readonly only?: readonly Permission[] }) {
  const { t } = useTranslation('identity');
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useProblemText(t('identity.key_permissions'), fieldState.error?.message);
  const [title, described] = [useId(), useId()];
  const value: unknown = field.value;
  const chosen = Array.isArray(value) ? value.map(String).filter(isPermission) : [];
  const shownAreas = keyAreas.filter((area) =>
    permissionVerbs.some((verb) => only.includes(`${area}:${verb}`)),
  );
  const toggle = (one: Permission, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, one] : chosen.filter((other) => other !== one));
  return (
    <Box>
      <Typography id={title} variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
        {t('identity.key_permissions')}
      </Typography>
      <Box
        component="table"
        aria-labelledby={title}
        aria-describedby={problem === undefined ? undefined : described}
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          '& tbody tr': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        <thead>
          <tr>
            <Typography
              component="th"
              scope="col"
              variant="body2"
              color="textSecondary"
              sx={{ textAlign: 'start' }}
            >
              {t('identity.key_area')}
            </Typography>
            {/* used as: 'identity.key_permission_*' */}
            {permissionVerbs.map((verb) => (
              <Typography
                key={verb}
                component="th"
                scope="col"
                variant="body2"
                color="textSecondary"
                sx={cell}
              >
                {t(`identity.key_permission_${verb}`)}
              </Typography>
            ))}
          </tr>
        </thead>
        <tbody>
          {/* used as: 'identity.area_*' */}
          {shownAreas.map((area, row) => (
            <tr key={area}>
              <Typography
                component="th"
                scope="row"
                variant="body2"
                sx={{ textAlign: 'start', fontWeight: 400 }}
              >
                {t(`identity.area_${area}`)}
              </Typography>
              {permissionVerbs.map((verb, column) => {
                const one: Permission = `${area}:${verb}`;
                return (
                  <Box component="td" key={verb} sx={cell}>
                    <Checkbox
                      size="small"
                      checked={chosen.includes(one)}
                      disabled={!only.includes(one)}
                      onChange={(_, isOn) => toggle(one, isOn)}
                      onBlur={field.onBlur}
                      slotProps={{
                        input: {
                          ...(row === 0 && column === 0 && { ref: field.ref }),
                          name: `${field.name}.${one}`,
                          'aria-label': t('identity.key_permission_cell', {
                            area: t(`identity.area_${area}`),
                            verb: t(`identity.key_permission_${verb}`),
                          }),
                        },
                      }}
                    />
                  </Box>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Box>
      {problem !== undefined && (
        <FormHelperText id={described} error>
          {problem}
        </FormHelperText>
      )}
    </Box>
  );
}
