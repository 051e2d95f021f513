// The parts of the monitoring page: each has its state beside its heading. On phones, what is healthy is
// folded below its heading, and long lists are everywhere.
import ExpandLessOutlined from '~icons/ic/outline-expand-less';
import ExpandMoreOutlined from '~icons/ic/outline-expand-more';
import Stack from '@mui/material/Stack';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState, type ReactNode } from 'react';
import type { Verdict } from '../contract.ts';
import { needsAttention } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { VerdictBadge } from './VerdictBadge.tsx';

type Fold = {
  readonly isOpen: boolean;
  /** At the right of the heading: the state, and the button that folds and unfolds. */
  readonly actions: ReactNode;
};

export function useFold({
  title,
  verdict,
  isOpenAtFirst = needsAttention(verdict),
  isLong = false,
}: {
  readonly title: string;
  readonly verdict: Verdict;
  readonly isOpenAtFirst?: boolean;
  /** Whether the part is folded on wide screens, too. */
  readonly isLong?: boolean;
}): Fold {
  const { t } = useTranslation('monitoring');
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'));
  const [chosen, setChosen] = useState<boolean>();
  const canFold = isPhone || isLong;
  const isOpen = !canFold || (chosen ?? isOpenAtFirst);
  return {
    isOpen,
    actions: (
      <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5, marginInlineStart: 'auto' }}>
        <VerdictBadge verdict={verdict} />
        {canFold && (
          <IconAction
            label={t(isOpen ? 'monitoring.hide' : 'monitoring.show', { part: title })}
            aria-expanded={isOpen}
            edge="end"
            onClick={() => setChosen(!isOpen)}
          >
            {isOpen ? <ExpandLessOutlined /> : <ExpandMoreOutlined />}
          </IconAction>
        )}
      </Stack>
    ),
  };
}
