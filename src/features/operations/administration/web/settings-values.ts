// The settings' form values, section by section, and their conversion.
import * as z from 'zod/mini';
import {
  contentLanguage,
  currency,
  email,
  optionalText,
  text,
  timeZone,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { maxGraceHours } from '#features/invoicing/billing/contract.ts';
import { isTaxId } from '#features/access/identity/rules.ts';
import type { Settings } from '../contract.ts';

/** An integer from `min` to `max`, as typed. */
// used as: 'administration.whole_*'
const whole = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.refine(
      (typed) =>
        /^\d{1,4}$/.test(typed) && Number.parseInt(typed, 10) >= min && Number.parseInt(typed, 10) <= max,
      `administration.whole_number?min=${min}&max=${max}`,
    ),
  );
const read = (typed: string): number => Number.parseInt(typed, 10);

export const generalSection = {
  schema: z.strictObject({
    name: text(60),
    companyPrefix: text(60, 0),
    supportEmail: z.union([email, z.literal('')]),
    language: contentLanguage,
  }),
  valuesOf: ({ name, companyPrefix, supportEmail, language: chosen }: Settings) => ({
    name,
    companyPrefix,
    supportEmail,
    language: chosen,
  }),
};

export const localeSection = {
  schema: z.strictObject({ currency, timeZone }),
  valuesOf: ({ currency: chosen, timeZone: zone }: Settings) => ({ currency: chosen, timeZone: zone }),
};

export const billingSection = {
  schema: z.strictObject({
    taxRate: unsignedDecimal.check(
      z.refine((typed) => Number.parseFloat(typed) <= 100, 'administration.tax_rate_invalid'),
    ),
    dueDays: whole(0, 365),
    graceHours: whole(0, maxGraceHours),
    packKeepDays: whole(1, 90),
  }),
  valuesOf: ({ taxRate, dueDays, graceHours, packKeepDays }: Settings) => ({
    taxRate,
    dueDays: String(dueDays),
    graceHours: String(graceHours),
    packKeepDays: String(packKeepDays),
  }),
  changeOf: ({
    taxRate,
    dueDays,
    graceHours,
    packKeepDays,
  }: {
    taxRate: string;
    dueDays: string;
    graceHours: string;
    packKeepDays: string;
  }): Partial<Settings> => ({
    taxRate,
    dueDays: read(dueDays),
    graceHours: read(graceHours),
    packKeepDays: read(packKeepDays),
  }),
};

const sellerShape = z.strictObject({
  sellerName: optionalText(160),
  sellerTaxId: z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || isTaxId(typed), 'administration.tax_id_invalid'),
  ),
  sellerAddress: optionalText(300),
  sellerEmail: z.union([email, z.literal('')]),
});

export const sellerSection = {
  schema: sellerShape,
  valuesOf: ({ seller: { name, taxId, address, email: mail } }: Settings) => ({
    sellerName: name,
    sellerTaxId: taxId,
    sellerAddress: address,
    sellerEmail: mail,
  }),
  changeOf: ({
    sellerName,
    sellerTaxId,
    sellerAddress,
    sellerEmail,
  }: z.output<typeof sellerShape>): Partial<Settings> => ({
    seller: { name: sellerName, taxId: sellerTaxId, address: sellerAddress, email: sellerEmail },
  }),
};

export const securitySection = {
  schema: z.strictObject({
    minimumPasswordLength: whole(8, 64),
    requireAdminTwoFactor: z.boolean(),
    providerAllowsAdmin: z.boolean(),
    providerDefaultRole: z.enum(['User', 'ReadOnly', 'refuse']),
  }),
  valuesOf: ({
    minimumPasswordLength,
    requireAdminTwoFactor,
    providerAllowsAdmin,
    providerDefaultRole,
  }: Settings) => ({
    minimumPasswordLength: String(minimumPasswordLength),
    requireAdminTwoFactor,
    providerAllowsAdmin,
    providerDefaultRole,
  }),
  changeOf: ({
    minimumPasswordLength,
    ...rest
  }: { minimumPasswordLength: string } & Pick<
    Settings,
    'requireAdminTwoFactor' | 'providerAllowsAdmin' | 'providerDefaultRole'
  >): Partial<Settings> => ({ ...rest, minimumPasswordLength: read(minimumPasswordLength) }),
};

export const meteringSection = {
  schema: z.strictObject({
    rejectedEventDays: whole(1, 365),
    eventRetentionMonths: whole(0, 600),
    archiveEvents: z.boolean(),
    forgetEventIds: z.boolean(),
  }),
  valuesOf: ({ rejectedEventDays, eventRetentionMonths, archiveEvents, forgetEventIds }: Settings) => ({
    rejectedEventDays: String(rejectedEventDays),
    eventRetentionMonths: String(eventRetentionMonths),
    archiveEvents,
    forgetEventIds,
  }),
  changeOf: ({
    rejectedEventDays,
    eventRetentionMonths,
    ...rest
  }: { rejectedEventDays: string; eventRetentionMonths: string } & Pick<
    Settings,
    'archiveEvents' | 'forgetEventIds'
  >): Partial<Settings> => ({
    ...rest,
    rejectedEventDays: read(rejectedEventDays),
    eventRetentionMonths: read(eventRetentionMonths),
  }),
};

export const webhookSection = {
  schema: z.strictObject({ webhookOffDays: whole(1, 30) }),
  valuesOf: ({ webhookOffDays }: Settings) => ({ webhookOffDays: String(webhookOffDays) }),
  changeOf: ({ webhookOffDays }: { webhookOffDays: string }): Partial<Settings> => ({
    webhookOffDays: read(webhookOffDays),
  }),
};

const thresholds = z
  .strictObject({ quotaWarningPercent: whole(1, 100), quotaCriticalPercent: whole(1, 100) })
  .check((context) => {
    const { quotaWarningPercent, quotaCriticalPercent } = context.value;
    if (read(quotaWarningPercent) >= read(quotaCriticalPercent))
      context.issues.push({
        code: 'custom',
        input: quotaWarningPercent,
        path: ['quotaWarningPercent'],
        message: 'administration.thresholds_crossed',
      });
  });

export const quotaSection = {
  schema: thresholds,
  valuesOf: ({ quotaWarningPercent, quotaCriticalPercent }: Settings) => ({
    quotaWarningPercent: String(quotaWarningPercent),
    quotaCriticalPercent: String(quotaCriticalPercent),
  }),
  changeOf: ({
    quotaWarningPercent,
    quotaCriticalPercent,
  }: z.output<typeof thresholds>): Partial<Settings> => ({
    quotaWarningPercent: read(quotaWarningPercent),
    quotaCriticalPercent: read(quotaCriticalPercent),
  }),
};
