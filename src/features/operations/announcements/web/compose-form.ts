// The form fields of an announcement, and their conversion to the API call.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { optionalText, role, text } from '#kernel/shape.ts';
import { chosenOrganization } from '#features/access/identity/web/parts.ts';
import {
  audienceKinds,
  longestText,
  longestTitle,
  severities,
  type Announcement,
  type announcements,
  type Audience,
} from '../contract.ts';
import type { ChosenService } from './ServiceField.tsx';

const chosenService = z.nullable(
  z.custom<ChosenService>((value) => typeof value === 'object' && value !== null && 'id' in value),
);

export const composeFields = z
  .strictObject({
    titleZh: text(longestTitle),
    textZh: text(longestText),
    titleEn: text(longestTitle),
    textEn: text(longestText),
    severity: z.enum(severities),
    link: optionalText(2000),
    kind: z.enum(audienceKinds),
    role,
    organization: chosenOrganization,
    service: chosenService,
  })
  .check((context) => {
    const { kind, organization, service } = context.value;
    const missing = (path: 'organization' | 'service') =>
      context.issues.push({
        code: 'custom',
        input: null,
        path: [path],
        message: 'announcements.audience_incomplete',
      });
    if (kind === 'organization' && organization === null) missing('organization');
    if (kind === 'service' && service === null) missing('service');
  });
export type ComposeFields = z.output<typeof composeFields>;

/** The form's initial values: of an existing announcement, or empty. */
export function fieldsOf(announcement: Announcement | undefined): ComposeFields {
  const { zhTW, enUS } = announcement?.words ?? {
    zhTW: { title: '', text: '' },
    enUS: { title: '', text: '' },
  };
  const audience: Audience = announcement?.audience ?? { kind: 'all' };
  const name = announcement?.audienceName ?? '';
  return {
    titleZh: zhTW.title,
    textZh: zhTW.text,
    titleEn: enUS.title,
    textEn: enUS.text,
    severity: announcement?.severity ?? 'info',
    link: announcement?.link ?? '',
    kind: audience.kind,
    role: audience.kind === 'role' ? audience.role : 'User',
    organization: audience.kind === 'organization' ? { id: audience.organizationId, name } : null,
    service: audience.kind === 'service' ? { id: audience.serviceId, name } : null,
  };
}

/** The selected audience; undefined while it is incomplete. */
export function audienceOf({
  kind,
  role: chosenRole,
  organization,
  service,
}: Pick<ComposeFields, 'kind' | 'role' | 'organization' | 'service'>): Audience | undefined {
  switch (kind) {
    case 'all':
      return { kind };
    case 'role':
      return { kind, role: chosenRole };
    case 'organization':
      return organization ? { kind, organizationId: organization.id } : undefined;
    case 'service':
      return service ? { kind, serviceId: service.id } : undefined;
  }
}

/** The input of the call. */
export function contentOf(
  fields: ComposeFields,
  audience: Audience,
): In<typeof announcements.createAnnouncement> {
  const { titleZh, textZh, titleEn, textEn, severity, link } = fields;
  return {
    words: { zhTW: { title: titleZh, text: textZh }, enUS: { title: titleEn, text: textEn } },
    severity,
    link: link === '' ? null : link,
    audience,
  };
}
