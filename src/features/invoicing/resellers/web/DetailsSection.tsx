// The details of a reseller on its bills, and the form that changes them.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import { formatDecimal } from '#kernel/format-money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { Reseller } from '../contract.ts';
import { resellersApi, resellersKey } from './api.ts';
import { ResellerFields, resellerFieldNames, resellerInput, resellerShape } from './ResellerFields.tsx';

export function DetailsSection({ reseller, mayWrite }: { reseller: Reseller; mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const [isEditing, setIsEditing] = useState(false);
  const { name, taxId, numberPrefix, taxRate, dueDays, instructions } = reseller;
  return (
    <Section
      title={t('resellers.details')}
      lead={t('resellers.details_lead')}
      actions={
        mayWrite && (
          <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsEditing(true)}>
            {t('resellers.edit_details')}
          </Button>
        )
      }
    >
      <Facts
        items={[
          [t('resellers.name'), name],
          [
            t('resellers.tax_id'),
            taxId === '' ? (
              <Typography key="tax" variant="body2" color="textSecondary">
                {t('resellers.tax_id_missing')}
              </Typography>
            ) : (
              taxId
            ),
          ],
          [t('resellers.number_prefix'), numberPrefix],
          [t('resellers.tax_rate'), `${formatDecimal(taxRate)}%`],
          [t('resellers.due_days'), String(dueDays)],
          [
            t('resellers.how_to_pay'),
            <Typography key="pay" variant="body2" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {instructions === '' ? t('resellers.nothing_said') : instructions}
            </Typography>,
          ],
        ]}
      />
      {isEditing && <DetailsDialog reseller={reseller} onClose={() => setIsEditing(false)} />}
    </Section>
  );
}

const shape = z.strictObject(resellerShape);

function DetailsDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const { name, numberPrefix, taxRate, dueDays, instructions } = reseller;
  const form = useZodForm(shape, { name, numberPrefix, taxRate, dueDays: String(dueDays), instructions });
  const save = useCall(resellersApi.saveReseller, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  return (
    <FormDialog
      form={form}
      title={t('resellers.edit_details')}
      confirm={t('resellers.save')}
      width="sm"
      onClose={onClose}
      onSubmit={(details) => save.mutateAsync(resellerInput(details))}
    >
      <ResellerFields form={form} names={resellerFieldNames} />
    </FormDialog>
  );
}
