// The user's picture on the profile: select and crop one, or remove it (R-AUTH-17).
import PhotoCameraOutlined from '~icons/ic/outline-photo-camera';
import Stack from '@mui/material/Stack';
import { Suspense, useState } from 'react';
import { pictureTypes, type User } from '../contract.ts';
import type { CallOptions } from '#platform/web/api/api.ts';
import { sessionUser, useAuthStore } from '#platform/web/session/auth-store.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { FormError } from '#platform/web/form/FormError.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { PictureButtons } from '#platform/web/ui/PictureButtons.tsx';
import { identityApi, identityKey } from './api.ts';

const PictureDialog = lazyComponent(() =>
  import('./PictureDialog.tsx').then((module) => module.PictureDialog),
).Component;

/** Camera photos are large, so only the crop is sent. */
const maxChosenBytes = 20 * 1024 * 1024;
const send = (body: Blob, options?: CallOptions) => identityApi.setAvatar({}, { ...options, body });
const takeAway = (_input: object, options?: CallOptions) => identityApi.removeAvatar({}, options);

/** The buttons below the name: change and remove. */
export function OwnPicture({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<ImageBitmap>();
  const done = (sentence: string) => (changed: User) => {
    useAuthStore.getState().setUser(sessionUser(changed));
    setProblem(undefined);
    close();
    toast.success(sentence);
  };
  const failed = (error: Error) => {
    setProblem(error.message);
    close();
  };
  const invalidates = [identityKey('profile'), identityKey('getUser'), identityKey('listUsers')];
  const save = useCall(send, { invalidates, onSuccess: done(t('identity.picture_saved')), onError: failed });
  const remove = useCall(takeAway, {
    invalidates,
    onSuccess: done(t('identity.picture_removed')),
    onError: failed,
  });
  const close = () => {
    chosen?.close();
    setChosen(undefined);
  };
  const take = async (file: File) => {
    setProblem(undefined);
    if (file.size > maxChosenBytes)
      return setProblem(
        t('identity.picture_too_big', {
          size: format.bytes(file.size),
          most: format.bytesAtMost(maxChosenBytes),
        }),
      );
    try {
      if (!pictureTypes.some((type) => type === file.type)) throw new TypeError(file.type);
      setChosen(await createImageBitmap(file));
    } catch {
      // Another file type, or bytes that the browser cannot decode.
      setProblem(t('identity.picture_kind'));
    }
  };
  return (
    <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
      <PictureButtons
        types={pictureTypes}
        words={{
          choose: t(user.avatar ? 'identity.picture_change' : 'identity.picture_add'),
          remove: t('identity.picture_remove'),
          removeNamed: t('identity.picture_remove_named'),
          file: t('identity.picture_file'),
        }}
        icon={<PhotoCameraOutlined />}
        size="small"
        isRemoving={remove.isPending}
        onChoose={(file) => void take(file)}
        {...(user.avatar && { onRemove: () => remove.mutate({}) })}
      />
      <FormError sentence={problem} />
      {chosen && (
        <Suspense fallback={null}>
          <PictureDialog
            picture={chosen}
            isSending={save.isPending}
            onClose={close}
            onUse={(cut) => save.mutate(cut)}
          />
        </Suspense>
      )}
    </Stack>
  );
}
