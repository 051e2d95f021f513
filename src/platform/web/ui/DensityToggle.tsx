// Switches the rows of all lists between 44 and 36 pixels.
import DensityMediumOutlined from '~icons/ic/outline-density-medium';
import DensitySmallOutlined from '~icons/ic/outline-density-small';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from '../i18n/i18n.ts';
import { useLayoutStore } from '../shell/layout-store.ts';

export function DensityToggle() {
  const { t } = useTranslation('platform');
  const density = useLayoutStore((layout) => layout.density);
  const setDensity = useLayoutStore((layout) => layout.setDensity);
  const isCompact = density === 'compact';
  const label = t(isCompact ? 'table.density_standard' : 'table.density_compact');
  return (
    <Tooltip title={label}>
      <IconButton
        aria-label={label}
        onClick={() => setDensity(isCompact ? 'standard' : 'compact')}
        sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
      >
        {isCompact ? <DensityMediumOutlined /> : <DensitySmallOutlined />}
      </IconButton>
    </Tooltip>
  );
}
