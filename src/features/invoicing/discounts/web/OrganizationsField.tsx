// The organizations that a code is for, chosen one at a time.
import type { Id } from '#kernel/ids.ts';
import { identityQueries } from '#features/access/identity/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SearchPicker, useSearchText, type Candidate } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxNamedOrganizations } from '../contract.ts';
import { ChosenRows } from './ChosenRows.tsx';
import type { NamedOrganization } from './discount-fields.ts';

const shown = 20;

export function OrganizationsField({
  value,
  problem,
  onChange,
}: {
  value: readonly NamedOrganization[];
  problem: string | undefined;
  onChange: (value: readonly NamedOrganization[]) => void;
}) {
  const { t } = useTranslation('discounts');
  return (
    <div>
      <ChosenRows
        label={t('discounts.audience_named')}
        rows={value.map(({ id, name }) => ({
          id,
          name,
          removeLabel: t('discounts.organizations_remove', { organization: name }),
          onRemove: () => onChange(value.filter((each) => each.id !== id)),
        }))}
      />
      {value.length < maxNamedOrganizations && (
        // After a choice the field is reset.
        <AddOrganization
          key={value.length}
          chosen={value.map(({ id }) => id)}
          problem={problem}
          onAdd={(organization) => onChange([...value, organization])}
        />
      )}
    </div>
  );
}

function AddOrganization({
  chosen,
  problem,
  onAdd,
}: {
  chosen: readonly string[];
  problem: string | undefined;
  onAdd: (organization: NamedOrganization) => void;
}) {
  const { t } = useTranslation('discounts');
  const { search, onType } = useSearchText(undefined);
  const found = usePagedQuery(
    identityQueries.listOrganizations({ limit: shown, ...(search !== '' && { q: search }) }),
  );
  const label = t('discounts.organizations_add');
  return (
    <SearchPicker<Candidate & { readonly id: Id<'org'> }>
      label={label}
      value={null}
      options={
        found.data?.items
          .filter(({ id }) => !chosen.includes(id))
          .map(({ id, name, externalRef }) => ({ id, name, hint: externalRef ?? id })) ?? []
      }
      onChange={(organization) => organization && onAdd({ id: organization.id, name: organization.name })}
      onType={onType}
      isLoading={found.isFetching}
      none={t('discounts.organizations_none')}
      problem={useProblemText(label, problem)}
      help={t('discounts.audience_named_hint')}
    />
  );
}
