// How a reseller appears to its customers: color, logo, sender of emails, host name. For the reseller itself,
// and for Admins.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { optionalText } from '#kernel/shape.ts';
import type { CallOptions } from '#platform/web/api/api.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup } from '#platform/web/form/FieldGroup.tsx';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { FormError } from '#platform/web/form/FormError.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DnsRecord } from '#platform/web/ui/DnsRecord.tsx';
import { PictureButtons } from '#platform/web/ui/PictureButtons.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { maxPictureBytes, pictureTypes } from '#features/access/identity/contract.ts';
import { accentTones } from '#kernel/accent.ts';
import type { SellerBrand } from '../contract.ts';
import { resellersApi, resellersKey } from './api.ts';

type Changed = Promise<SellerBrand>;
/** The calls that change a brand: of the own organization, or by an Admin for another. */
export type BrandCalls = {
  readonly save: (
    brand: Pick<SellerBrand, 'accent' | 'senderName' | 'replyTo'>,
    options?: CallOptions,
  ) => Changed;
  readonly setLogo: (body: Blob, options?: CallOptions) => Changed;
  readonly removeLogo: (input: object, options?: CallOptions) => Changed;
  readonly setHost: (input: { readonly host: string | null }, options?: CallOptions) => Changed;
  readonly verifyHost: (input: object, options?: CallOptions) => Changed;
};

/** The calls of users for their own organization. */
export const ownBrandCalls: BrandCalls = {
  save: (brand, options) => resellersApi.saveBrand(brand, options),
  setLogo: (body, options) => resellersApi.setLogo({}, { ...options, body }),
  removeLogo: (_input, options) => resellersApi.removeLogo({}, options),
  setHost: (input, options) => resellersApi.setHost(input, options),
  verifyHost: (_input, options) => resellersApi.verifyHost({}, options),
};

/** An Admin's calls for a reseller. */
export const adminBrandCalls = (resellerId: SellerBrand['resellerId']): BrandCalls => ({
  save: (brand, options) => resellersApi.adminSaveBrand({ ...brand, resellerId }, options),
  setLogo: (body, options) => resellersApi.adminSetLogo({ resellerId }, { ...options, body }),
  removeLogo: (_input, options) => resellersApi.adminRemoveLogo({ resellerId }, options),
  setHost: (input, options) => resellersApi.adminSetHost({ ...input, resellerId }, options),
  verifyHost: (_input, options) => resellersApi.adminVerifyHost({ resellerId }, options),
});

type Part = { readonly brand: SellerBrand; readonly calls: BrandCalls };

export function BrandSettings({ brand, calls }: Part) {
  return (
    <Stack sx={{ gap: 1, maxWidth: 720 }}>
      <Logo brand={brand} calls={calls} />
      <Looks brand={brand} calls={calls} />
      <Host brand={brand} calls={calls} />
    </Stack>
  );
}

const logoHeight = 40;

function Logo({ brand, calls }: Part) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const changed = { invalidates: [resellersKey()], onSuccess: () => toast.success(t('resellers.saved')) };
  const set = useCall(calls.setLogo, changed);
  const remove = useCall(calls.removeLogo, changed);
  return (
    <FieldGroup
      title={t('resellers.logo')}
      lead={t('resellers.logo_lead', { size: format.bytesAtMost(maxPictureBytes) })}
    >
      <PictureButtons
        types={pictureTypes}
        words={{
          choose: t(brand.logo ? 'resellers.logo_change' : 'resellers.logo_add'),
          remove: t('resellers.logo_remove'),
          file: t('resellers.logo_file'),
        }}
        picture={
          brand.logo && (
            <Box
              component="img"
              src={`/api/brand/logos/${brand.logo}`}
              alt={t('resellers.logo_of', { name: brand.name })}
              sx={{
                height: logoHeight,
                maxWidth: logoHeight * 4,
                objectFit: 'contain',
                backgroundColor: 'common.white',
                border: '1px solid',
                borderColor: 'divider',
                borderRadius: '5px',
                padding: '4px',
                marginInlineEnd: 1,
              }}
            />
          )
        }
        isSending={set.isPending}
        isRemoving={remove.isPending}
        onChoose={(file) => set.mutate(file)}
        {...(brand.logo && { onRemove: () => remove.mutate({}) })}
      />
      <FormError sentence={(set.error ?? remove.error)?.message} />
    </FieldGroup>
  );
}

const colour = /^#[0-9A-Fa-f]{6}$/;
const looksShape = z.strictObject({
  accent: z.union([z.string().check(z.trim(), z.regex(colour)), z.literal('')]),
  senderName: optionalText(120),
  replyTo: z.union([z.email(), z.literal('')]),
});

function Looks({ brand, calls }: Part) {
  const { t } = useTranslation('resellers');
  const form = useZodForm(looksShape, {
    accent: brand.accent ?? '',
    senderName: brand.senderName,
    replyTo: brand.replyTo,
  });
  const save = useCall(calls.save, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  const { accent } = form.watch();
  const isColour = colour.test(accent.trim());
  return (
    <FieldGroup
      title={t('resellers.looks')}
      lead={t('resellers.mail_from_lead', { address: brand.mailFrom })}
    >
      <Form
        form={form}
        label={t('resellers.looks')}
        onSubmit={(asked) =>
          save.mutateAsync({ ...asked, accent: asked.accent === '' ? null : asked.accent })
        }
      >
        <TextField
          form={form}
          name="accent"
          label={t('resellers.accent')}
          help={t('resellers.accent_help')}
          autoComplete="off"
        />
        {isColour && <Preview accent={accent.trim()} name={brand.name} />}
        <TextField
          form={form}
          name="senderName"
          label={t('resellers.sender_name')}
          help={t('resellers.sender_name_help', { name: brand.name })}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="replyTo"
          type="email"
          label={t('resellers.reply_to')}
          help={t('resellers.reply_to_help')}
          autoComplete="off"
        />
        <Box>
          <SubmitButton form={form}>{t('resellers.save')}</SubmitButton>
        </Box>
      </Form>
    </FieldGroup>
  );
}

/** The app bar as it looks in light and dark mode. */
function Preview({ accent, name }: { accent: string; name: string }) {
  const { t } = useTranslation('resellers');
  const tones = accentTones(accent.toUpperCase());
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', marginBottom: 2 }}>
      {(
        [
          ['light', t('resellers.in_light', { name })],
          ['dark', t('resellers.in_dark', { name })],
        ] as const
      ).map(([mode, words]) => (
        <Box
          key={mode}
          sx={{
            backgroundColor: tones[mode].background,
            color: tones[mode].text,
            padding: '8px 16px',
            borderRadius: '5px',
            overflowWrap: 'anywhere',
          }}
        >
          {words}
        </Box>
      ))}
    </Stack>
  );
}

const hostShape = z.strictObject({ host: optionalText(253) });

function Host({ brand, calls }: Part) {
  const { t } = useTranslation('resellers');
  const { host } = brand;
  const form = useZodForm(hostShape, { host: host?.name ?? '' });
  const changed = { invalidates: [resellersKey()], onSuccess: () => toast.success(t('resellers.saved')) };
  const set = useCall(calls.setHost, changed);
  const verify = useCall(calls.verifyHost, changed);
  return (
    <FieldGroup title={t('resellers.host')} lead={t('resellers.host_lead', { address: brand.mainAddress })}>
      <Form
        form={form}
        label={t('resellers.host')}
        onSubmit={({ host: name }) => set.mutateAsync({ host: name === '' ? null : name })}
      >
        <TextField
          form={form}
          name="host"
          label={t('resellers.host_name')}
          help={t('resellers.host_help')}
          autoComplete="off"
        />
        <Box>
          <SubmitButton form={form} variant="outlined">
            {t('resellers.host_save')}
          </SubmitButton>
        </Box>
      </Form>
      {host && (
        <Stack sx={{ gap: 1, marginTop: 2 }}>
          <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{host.address}</Typography>
            <StatusBadge
              tone={host.verifiedAt === null ? 'warning' : 'success'}
              label={t(host.verifiedAt === null ? 'resellers.host_waiting' : 'resellers.host_verified')}
            />
          </Stack>
          {host.verifiedAt === null ? (
            <DnsRecord
              record={host.record}
              words={{
                lead: t('resellers.host_record'),
                name: t('resellers.record_name'),
                value: t('resellers.record_value'),
                verify: t('resellers.host_verify'),
              }}
              problem={verify.error?.message}
              isBusy={verify.isPending}
              onVerify={() => verify.mutate({})}
            />
          ) : (
            <Alert severity="info">{t('resellers.host_main_only', { address: brand.mainAddress })}</Alert>
          )}
        </Stack>
      )}
    </FieldGroup>
  );
}
