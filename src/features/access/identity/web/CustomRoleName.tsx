// The name of a person's custom role, below the built-in one; empty without one.
import Typography from '@mui/material/Typography';
import type { AssignedRole } from '../contract.ts';

export function CustomRoleName({ role }: { readonly role: AssignedRole | null }) {
  return role === null ? null : (
    <Typography variant="caption" component="p" color="textSecondary">
      {role.name}
    </Typography>
  );
}
