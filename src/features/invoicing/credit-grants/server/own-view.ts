// A grant as its organization sees it: without remarks and the names of the operator's staff.
import type { CreditGrant, OwnGrant } from '../contract.ts';

export const ownView = ({
  organizationId: _organizationId,
  organization: _organization,
  note: _note,
  createdBy: _createdBy,
  withdrawnBy: _withdrawnBy,
  withdrawalReason: _withdrawalReason,
  ...shown
}: CreditGrant): OwnGrant => shown;
