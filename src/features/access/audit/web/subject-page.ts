// The page on which an Admin can view the subject of an audit log row.

/** Pages of single records, by the prefix of their ids. */
const pages: Readonly<Record<string, string>> = {
  usr: '/admin/user-management?user=',
  org: '/admin/organizations?organization=',
  svc: '/admin/service-management?service=',
  bil: '/admin/billing?bill=',
  con: '/admin/connectors?connector=',
  apr: '/admin/approvals?approval=',
};

/** The page of a subject; undefined if its kind has none. */
export function pageOfSubject(subject: string): string | undefined {
  const page = pages[subject.slice(0, 3)];
  return page !== undefined && subject[3] === '_' ? page + subject : undefined;
}
