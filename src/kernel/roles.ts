// The three roles, and how role texts from outside are parsed.

export const roles = ['Admin', 'User', 'ReadOnly'] as const;
/** Admin operates the platform; User is a customer; ReadOnly sees only the billing of their organization. */
export type Role = (typeof roles)[number];

/** Whether a text is exactly a role. The server accepts nothing more lenient. */
export function isRole(text: unknown): text is Role {
  return typeof text === 'string' && (roles as readonly string[]).includes(text);
}

/**
 * R-AUTH-15: the role whose menu is shown. Trims the text; User when it is missing or unknown. For display
 * only, never for access control.
 */
export function menuRole(text: string | null | undefined): Role {
  const trimmed = text?.trim();
  return isRole(trimmed) ? trimmed : 'User';
}
