// A service's icon: the picture of its kind on the color of its category, so that a catalog can be scanned
// quickly.
import AutoAwesomeOutlined from '~icons/ic/outline-auto-awesome';
import CloudQueueOutlined from '~icons/ic/outline-cloud-queue';
import DatasetOutlined from '~icons/ic/outline-dataset';
import DnsOutlined from '~icons/ic/outline-dns';
import GroupsOutlined from '~icons/ic/outline-groups';
import HubOutlined from '~icons/ic/outline-hub';
import InsightsOutlined from '~icons/ic/outline-insights';
import PublicOutlined from '~icons/ic/outline-public';
import ShieldOutlined from '~icons/ic/outline-shield';
import StorageOutlined from '~icons/ic/outline-storage';
import SupportAgentOutlined from '~icons/ic/outline-support-agent';
import SwapHorizOutlined from '~icons/ic/outline-swap-horiz';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { kindOf, placeOfKind, type ServiceKind } from './service-kind.ts';

const icons = {
  ai: AutoAwesomeOutlined,
  containers: HubOutlined,
  database: DatasetOutlined,
  security: ShieldOutlined,
  network: PublicOutlined,
  integration: SwapHorizOutlined,
  storage: StorageOutlined,
  management: InsightsOutlined,
  support: SupportAgentOutlined,
  people: GroupsOutlined,
  compute: DnsOutlined,
  other: CloudQueueOutlined,
} as const satisfies Record<ServiceKind, unknown>;

export function ServiceMark({ service }: { service: Pick<Service, 'name' | 'type' | 'category'> }) {
  const { chart } = useTheme().vars.palette;
  const kind = kindOf(service);
  const Icon = icons[kind];
  const colour = chart[((placeOfKind(kind) % 7) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7];
  return (
    <Box
      aria-hidden
      sx={{
        display: 'grid',
        placeItems: 'center',
        flexShrink: 0,
        width: 40,
        height: 40,
        borderRadius: '8px',
        color: colour,
        bgcolor: `color-mix(in srgb, ${colour} 14%, transparent)`,
      }}
    >
      <Icon />
    </Box>
  );
}
