// A month's figures, with the explorer of any range.
import { Explorer } from '#features/metering/insights/web/parts.ts';
import { OwnRejected } from '#features/metering/rejections/web/parts.ts';
import { UsageScreen } from '#features/metering/usage/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';

export function UsageStatistics() {
  // A ReadOnly user cannot fix rejected events.
  const mayMend = useAuthStore((auth) => auth.user?.role.trim() !== 'ReadOnly');
  return <UsageScreen explorer={(slot) => <Explorer {...slot} />} notice={mayMend && <OwnRejected />} />;
}
