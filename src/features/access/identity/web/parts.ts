// Parts of identity for other screens.
export { deviceName } from '../rules-device.ts';
export { newPasswordPair } from './new-password.ts';
export { askLiveTicket, useSessionWatch } from './watch-session.ts';
export { PersonAvatar } from './PersonAvatar.tsx';
export { KeyPermissions } from './KeyPermissions.tsx';
export { CustomRoleName } from './CustomRoleName.tsx';
export { MemberLevel } from './MemberLevel.tsx';
export { OrganizationField } from './OrganizationPicker.tsx';
export { chosenOrganization, requiredOrganization } from './user-fields.ts';
export { identityApi, identityKey, identityQueries } from './api.ts';
export { newUser, UserPanel } from './UserPanel.tsx';
export { ProfileScreen } from './ProfileScreen.tsx';
export { beginView } from './view-as.ts';
export { loadApiKeysScreen, loadOrganizationPanel, loadListPart } from './inside.ts';
