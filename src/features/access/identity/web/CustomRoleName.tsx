// The name of the custom role that narrows somebody's built-in one, below it; nothing without one.
import Typography from '@mui/material/Typography';
import type { AssignedRole } from '../contract.ts';

export function CustomRoleName({ role }: { readonly role: AssignedRole | null }) {
  return role === null ? null : (
    <Typography variant="caption" component="p" color="textSecondary">
      {role.name}
    </Typography>
  );
}
