// A password input: can be made visible, warns of Caps Lock, and rates the strength of a new password.
import VisibilityOffOutlined from '~icons/ic/outline-visibility-off';
import VisibilityOutlined from '~icons/ic/outline-visibility';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { passwordStrength } from './password-strength.ts';
import { TextBox, type TextBoxProps, type TextLook } from './TextBox.tsx';

export type PasswordLook = Omit<TextLook, 'type' | 'end' | 'onKeyUp' | 'autoComplete'> & {
  /** 'current-password' for sign-in, 'new-password' for a new one. */
  readonly autoComplete: 'current-password' | 'new-password';
  /** Shows the password's strength. */
  readonly measured?: boolean;
};

export function PasswordBox({
  measured = false,
  help,
  ...rest
}: PasswordLook & Pick<TextBoxProps, 'name' | 'value' | 'problem' | 'onChange' | 'onBlur' | 'inputRef'>) {
  const { t } = useTranslation('platform');
  const [isShown, setIsShown] = useState(false);
  const [isCapsOn, setIsCapsOn] = useState(false);
  const label = t(isShown ? 'form.hide_password' : 'form.show_password');
  return (
    <TextBox
      {...rest}
      type={isShown ? 'text' : 'password'}
      help={
        isCapsOn ? (
          t('form.caps_lock')
        ) : measured && rest.value !== '' ? (
          <Strength password={rest.value} />
        ) : (
          help
        )
      }
      onKeyUp={(event) => setIsCapsOn(event.getModifierState('CapsLock'))}
      end={
        <IconButton
          aria-label={label}
          // Forms with a new password have two or three such buttons. Not in the name, so that the name of the
          // field stays the field’s alone.
          aria-description={rest.label}
          title={label}
          edge="end"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <VisibilityOffOutlined /> : <VisibilityOutlined />}
        </IconButton>
      }
    />
  );
}

const steps = ['weak', 'fair', 'good', 'strong'] as const;
const tones = ['error', 'warning', 'info', 'success'] as const;

function Strength({ password }: { password: string }) {
  const { t } = useTranslation('platform');
  const strength = passwordStrength(password);
  return (
    <Box component="span" role="status" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box component="span" aria-hidden sx={{ display: 'flex', gap: '3px', flex: '0 0 96px' }}>
        {steps.map((step, index) => (
          <Box
            component="span"
            key={step}
            sx={{
              flex: 1,
              height: 4,
              borderRadius: '2px',
              bgcolor: index <= strength ? `${tones[strength]}.main` : 'divider',
            }}
          />
        ))}
      </Box>
      {/* used as: 'form.strength_*' */}
      {t('form.password_strength')}: {t(`form.strength_${steps[strength]}`)}
    </Box>
  );
}
