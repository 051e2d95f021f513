// The two stacks of toasts and the toast card; a toast stays while it is hovered or focused.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import CloseOutlined from '~icons/ic/outline-close';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import InfoOutlined from '~icons/ic/outline-info';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { SnackbarProvider, useSnackbar, type CustomContentProps } from 'notistack';
import { useEffect, useRef, useState, type Ref, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../i18n/i18n.ts';
import {
  alertsProvider,
  resultsProvider,
  showWaiting,
  useToastHistory,
  type ToastExtras,
  type ToastKind,
} from '../toasts/toasts.ts';
import { IconAction } from './IconAction.tsx';
import { NoWrap } from './NoWrap.tsx';

/** R-SHELL-15 */
const autoHideMs = 5000;
const icons = {
  success: CheckCircleOutlined,
  error: ErrorOutlineOutlined,
  warning: WarningAmberOutlined,
  info: InfoOutlined,
} as const;
const cards = { success: ToastCard, error: ToastCard, warning: ToastCard, info: ToastCard };

/** Rendered once, near the root; toasts requested before its code is loaded wait for it. */
export function Toasts() {
  const { t } = useTranslation('platform');
  const results = useRef<HTMLElement>(null);
  const alerts = useRef<HTMLElement>(null);
  useNeverHidden(results);
  useNeverHidden(alerts);
  useEffect(showWaiting, []);
  return createPortal(
    <>
      <Box
        ref={results}
        role="region"
        aria-label={t('ui.toasts')}
        aria-live="polite"
        aria-relevant="additions"
        data-screen-only
        sx={(theme) => ({
          // On phones, a dialog's buttons are where toasts would be.
          [theme.breakpoints.down('sm')]: {
            'body:has(.MuiDialog-root, .MuiDrawer-modal) & .notistack-SnackbarContainer': {
              bottom: 'auto',
              top: 66,
            },
          },
        })}
      >
        <SnackbarProvider
          ref={resultsProvider}
          maxSnack={3}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          // The card has its own timer: notistack's pauses on hover, but not on keyboard focus.
          autoHideDuration={null}
          Components={cards}
        />
      </Box>
      <Box
        ref={alerts}
        role="region"
        aria-label={t('ui.alerts')}
        aria-live="polite"
        aria-relevant="additions"
        data-screen-only
        // Below the top bar.
        sx={{ '.notistack-SnackbarContainer': { top: 66 } }}
      >
        <SnackbarProvider
          ref={alertsProvider}
          maxSnack={5}
          anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
          autoHideDuration={null}
          Components={cards}
        />
      </Box>
    </>,
    document.body,
  );
}

/** Dialogs and panels hide everything outside from screen readers; this keeps toasts announced. */
function useNeverHidden(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (!element) return undefined;
    const show = (): void => {
      if (element.hasAttribute('aria-hidden')) element.removeAttribute('aria-hidden');
    };
    const observer = new MutationObserver(show);
    observer.observe(element, { attributeFilter: ['aria-hidden'] });
    show();
    return () => observer.disconnect();
  }, [region]);
}

type Card = Pick<CustomContentProps, 'id' | 'message' | 'persist' | 'style'> &
  ToastExtras & { readonly variant: ToastKind; readonly ref: Ref<HTMLDivElement> };

function ToastCard({ id, message, variant, persist, button, style, ref }: Card) {
  const { t } = useTranslation('platform');
  const { closeSnackbar } = useSnackbar();
  const progress = useToastHistory((history) => history.progress[id]);
  const [isHeld, setIsHeld] = useState(false);
  const close = (): void => closeSnackbar(id);
  useAutoHide(close, isHeld || persist);
  const Icon = icons[variant];
  const text = progress ?? message;
  return (
    <Box
      ref={ref}
      style={style}
      role={variant === 'error' ? 'alert' : undefined}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && !persist && close()}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'flex-start',
        gap: '10px',
        width: { xs: '100%', sm: 400 },
        padding: '10px 8px 10px 14px',
        borderRadius: '5px',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        backgroundColor: theme.vars.palette.overlay,
        color: theme.vars.palette.text.primary,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderInlineStart: `4px solid ${theme.vars.palette[variant].main}`,
        boxShadow: theme.vars.palette.shadow.popover,
      })}
    >
      <Icon aria-hidden sx={{ marginTop: '1px', color: `${variant}.main` }} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {typeof text === 'string' ? <NoWrap text={text} /> : text}
      </Box>
      {button && (
        <Button
          size="small"
          onClick={() => {
            button.onClick();
            close();
          }}
          sx={{ marginBlock: '-5px' }}
        >
          {button.label}
        </Button>
      )}
      {!persist && (
        <IconAction size="small" label={t('ui.dismiss')} onClick={close} sx={{ marginBlock: '-3px' }}>
          <CloseOutlined sx={{ fontSize: 18 }} />
        </IconAction>
      )}
    </Box>
  );
}

/** Closes a toast after its time, which pauses while the toast is hovered or focused. */
function useAutoHide(close: () => void, isHeld: boolean): void {
  const leftMs = useRef(autoHideMs);
  const onTime = useRef(close);
  useEffect(() => {
    onTime.current = close;
  });
  useEffect(() => {
    if (isHeld) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => onTime.current(), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(leftMs.current - (performance.now() - startedAt), 1000);
    };
  }, [isHeld]);
}
