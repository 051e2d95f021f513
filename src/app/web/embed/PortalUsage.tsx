// A month's figures, with the explorer of any range.
import { Explorer } from '#features/metering/insights/web/parts.ts';
import { UsageScreen } from '#features/metering/usage/web/parts.ts';

export function PortalUsage() {
  return <UsageScreen explorer={(slot) => <Explorer {...slot} />} notice={null} />;
}
