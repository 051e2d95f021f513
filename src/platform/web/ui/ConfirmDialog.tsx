// Confirms an action that cannot simply be undone: what happens, to how many objects, and how to confirm.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { asError } from '#kernel/errors.ts';
import { wrappingLabel } from '../form/Field.tsx';
import { TickBox } from '../form/TickBox.tsx';
import { useRequired } from '../form/use-required.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { ConfirmButtons } from './ConfirmButtons.tsx';
import { Modal } from './Modal.tsx';

export type ConfirmDialogProps = {
  readonly open: boolean;
  /** A question or a statement with its object: "刪除 3 位使用者？". Never "Are you sure?". */
  readonly title: string;
  readonly children?: ReactNode;
  /** One sentence for each consequence. */
  readonly consequences?: readonly string[];
  /** Verb and noun on the button: "刪除使用者". */
  readonly confirmLabel: string;
  /** 'danger' for a permanent loss. */
  readonly tone?: 'primary' | 'danger';
  /**
   * How the user confirms: with a click ('ask'), a checkbox ('tick'), or by typing a name (`{ type: '物件儲存'
   * }`). An action that can be undone needs no dialog: do it and offer {@link toast} with an undo.
   */
  readonly proof?: 'ask' | 'tick' | { readonly type: string };
  readonly onConfirm: () => Promise<unknown> | void;
  readonly onClose: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  // Mounted anew for each opening, so that a ticked checkbox does not survive a cancel.
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({
  title,
  children,
  consequences = [],
  confirmLabel,
  tone = 'primary',
  proof = 'ask',
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation('platform');
  const [isSure, setIsSure] = useState(proof === 'ask');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const tick = useRequired(proof !== 'tick' || isSure, 'form.tick_required');
  const confirm = async () => {
    if (!tick.check()) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      // The dialog stays open with the error, so that nothing must be typed again.
      setProblem(asError(error).message);
      setIsBusy(false);
    }
  };
  return (
    <Modal
      open
      role="alertdialog"
      width="xs"
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={
        <ConfirmButtons
          confirm={confirmLabel}
          color={tone === 'danger' ? 'error' : 'primary'}
          isBusy={isBusy}
          isCautious={tone === 'danger' && proof === 'ask'}
          // Typing the name is meant to slow the user down: the button is disabled until it matches. The
          // field says what to type.
          disabled={typeof proof === 'object' && !isSure}
          onConfirm={() => void confirm()}
          onClose={onClose}
        />
      }
    >
      <Stack sx={{ gap: 1.5 }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        {children !== undefined && (
          <Typography variant="body2" component="div">
            {children}
          </Typography>
        )}
        {consequences.length > 0 && <Consequences items={consequences} />}
        {proof === 'tick' && (
          <TickBox
            name="understood"
            label={t('confirm.understood')}
            isOn={isSure}
            problem={tick.problem}
            inputRef={tick.input}
            onChange={setIsSure}
          />
        )}
        {typeof proof === 'object' && (
          <TextField
            label={t('confirm.type_to_confirm', { text: proof.type })}
            autoFocus
            autoComplete="off"
            onChange={(event) => setIsSure(event.target.value.trim() === proof.type)}
            slotProps={{
              htmlInput: { spellCheck: false },
              // The name to type may be long.
              inputLabel: { shrink: true, sx: wrappingLabel },
              input: { label: '', notched: false },
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}

/** A plain list: some consequences reassure, and what is lost forever is said by the red button. */
function Consequences({ items }: { items: readonly string[] }) {
  const { t } = useTranslation('platform');
  return (
    <Box>
      <Typography variant="subtitle2" component="p">
        {t('confirm.consequences')}
      </Typography>
      <Box
        component="ul"
        sx={{ margin: 0, paddingInlineStart: 2.5, '& > li::marker': { color: 'text.secondary' } }}
      >
        {items.map((item) => (
          <Typography key={item} component="li" variant="body2" sx={{ paddingBlock: '2px' }}>
            {item}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
