// Shows the messages of toasts.ts: own results bottom-left, alerts top-centre; each waits while it is hovered or focused.
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import CloseOutlined from '@mui/icons-material/CloseOutlined';
import ErrorOutlineOutlined from '@mui/icons-material/ErrorOutlineOutlined';
import InfoOutlined from '@mui/icons-material/InfoOutlined';
import WarningAmberOutlined from '@mui/icons-material/WarningAmberOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { keyframes } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import {
  dismissToast,
  toastLifeMs,
  useToastStore,
  visibleToasts,
  type Toast,
  type ToastChannel,
} from '../toasts.ts';
import { IconAction } from './IconAction.tsx';
import { NoWrap } from './NoWrap.tsx';

const glyphs = {
  success: CheckCircleOutlined,
  error: ErrorOutlineOutlined,
  warning: WarningAmberOutlined,
  info: InfoOutlined,
} as const;
const rise = keyframes({ from: { opacity: 0, transform: 'translateY(8px)' } });
const sink = keyframes({ from: { opacity: 0, transform: 'translateY(-8px)' } });

/** Once, near the root. */
export function Toasts() {
  return (
    <>
      <Channel channel="results" />
      <Channel channel="alerts" />
    </>
  );
}

function Channel({ channel }: { channel: ToastChannel }) {
  const { t } = useTranslation('platform');
  const toasts = useToastStore((store) => store.toasts);
  const isResults = channel === 'results';
  return (
    <Box
      role="region"
      aria-label={t(isResults ? 'ui.toasts' : 'ui.alerts')}
      aria-live="polite"
      aria-relevant="additions"
      data-screen-only
      sx={{
        position: 'fixed',
        zIndex: 'snackbar',
        display: 'flex',
        flexDirection: isResults ? 'column-reverse' : 'column',
        gap: 1,
        pointerEvents: 'none',
        width: { xs: 'calc(100% - 32px)', sm: 400 },
        ...(isResults
          ? { left: { xs: 16, sm: 24 }, bottom: { xs: 16, sm: 24 } }
          : { left: '50%', top: 72, transform: 'translateX(-50%)' }),
      }}
    >
      {visibleToasts(toasts, channel).map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </Box>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { t } = useTranslation('platform');
  const [isHeld, setIsHeld] = useState(false);
  useLife(toast.id, isHeld || toast.stays === true);
  const Glyph = glyphs[toast.kind];
  const act = () => {
    toast.action?.onClick();
    dismissToast(toast.id);
  };
  return (
    <Box
      role={toast.kind === 'error' ? 'alert' : undefined}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && !toast.stays && dismissToast(toast.id)}
      sx={(theme) => ({
        pointerEvents: 'auto',
        display: 'flex',
        alignItems: 'flex-start',
        gap: '10px',
        padding: '10px 8px 10px 14px',
        borderRadius: '5px',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        backgroundColor: theme.vars.palette.overlay,
        color: theme.vars.palette.text.primary,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderInlineStart: `4px solid ${theme.vars.palette[toast.kind].main}`,
        boxShadow: theme.vars.palette.shadow.popover,
        animation: `${toast.channel === 'results' ? rise : sink} 180ms cubic-bezier(.2,0,0,1)`,
      })}
    >
      <Glyph aria-hidden sx={{ marginTop: '1px', color: `${toast.kind}.main` }} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <NoWrap text={toast.message} />
        {toast.details}
      </Box>
      {toast.action && (
        <Button size="small" onClick={act} sx={{ marginBlock: '-5px' }}>
          {toast.action.label}
        </Button>
      )}
      {!toast.stays && (
        <IconAction
          size="small"
          label={t('ui.dismiss')}
          onClick={() => dismissToast(toast.id)}
          sx={{ marginBlock: '-3px' }}
        >
          <CloseOutlined sx={{ fontSize: 18 }} />
        </IconAction>
      )}
    </Box>
  );
}

/** Takes the toast away when its time is over; the time stands still while it is held or the tab is hidden. */
function useLife(id: number, isHeld: boolean): void {
  const leftMs = useRef(toastLifeMs);
  useEffect(() => {
    if (isHeld) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => dismissToast(id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(leftMs.current - (performance.now() - startedAt), 1000);
    };
  }, [id, isHeld]);
}
