// Selects an organization by searching for it; there may be hundreds of thousands.
import { useController, type FieldValues } from 'react-hook-form';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useProblemText, type FieldLook } from '#platform/web/form/Field.tsx';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { identityQueries } from './api.ts';

/** The selected organization with its name, so that the field can show it without a request. */
export type ChosenOrganization = { readonly id: Id<'org'>; readonly name: string };

/** The value of its field is a {@link ChosenOrganization} or null. */
export type OrganizationFieldProps<In extends FieldValues, Sent> = InForm<In, Sent> & FieldLook;

const shown = 20;

export function OrganizationField<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  required = false,
  disabled = false,
}: OrganizationFieldProps<In, Sent>) {
  const { t } = useTranslation('identity');
  const { field, fieldState } = useController({ control: form.control, name });
  // The form library cannot infer the field's type from a dynamic path; fields of this component hold this
  // type.
  const chosen = (field.value ?? null) as ChosenOrganization | null;
  const { search, onType } = useSearchText(chosen?.name);
  const found = usePagedQuery(
    identityQueries.listOrganizations({ limit: shown, ...(search !== '' && { q: search }) }),
  );
  return (
    <SearchPicker
      label={label}
      value={chosen}
      // Customers of a provider may have the same name; the account number distinguishes them.
      options={
        found.data?.items.map(({ id, name: title, externalRef }) => ({
          id,
          name: title,
          hint: externalRef ?? id,
        })) ?? []
      }
      onChange={(next) => field.onChange(next && { id: next.id, name: next.name })}
      onType={onType}
      onBlur={field.onBlur}
      inputRef={field.ref}
      isLoading={found.isFetching}
      none={t('identity.no_organization_found')}
      required={required}
      disabled={disabled}
      problem={useProblemText(label, fieldState.error?.message)}
      help={help}
    />
  );
}
