// Crops a square out of a picture: by dragging, arrow keys, and a zoom slider.
import Box from '@mui/material/Box';
import Slider from '@mui/material/Slider';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { middleCrop, maxZoom, moved, zoomed, zoomOf, type Crop } from './crop.ts';

/** Pixels per side of the upload: enough for the stored picture, and below the size limit for any content. */
const cutPixels = 384;
const shownPixels = 280;
const keyStep = 0.05;
const zoomStep = 0.05;
const arrows: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
};

type PictureDialogProps = {
  readonly picture: ImageBitmap;
  readonly isSending: boolean;
  readonly onClose: () => void;
  readonly onUse: (cut: Blob) => void;
};

export function PictureDialog({ picture, isSending, onClose, onUse }: PictureDialogProps) {
  const { t } = useTranslation('identity');
  const [crop, setCrop] = useState(() => middleCrop(picture));
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => draw(canvas.current, picture, crop), [picture, crop]);
  const use = () => canvas.current?.toBlob((cut) => cut && onUse(cut), 'image/png');
  return (
    <ActionDialog
      title={t('identity.picture_cut')}
      width="xs"
      confirm={t('identity.picture_use')}
      isBusy={isSending}
      onConfirm={use}
      onClose={onClose}
    >
      <Stack sx={{ gap: 2, alignItems: 'center' }}>
        <Frame picture={picture} crop={crop} onChange={setCrop}>
          <canvas
            ref={canvas}
            width={cutPixels}
            height={cutPixels}
            style={{ display: 'block', width: '100%', height: '100%' }}
          />
        </Frame>
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', width: '100%', maxWidth: shownPixels }}>
          <Typography variant="body2" aria-hidden sx={{ flexShrink: 0 }}>
            {t('identity.picture_zoom')}
          </Typography>
          <Slider
            aria-label={t('identity.picture_zoom')}
            min={1}
            max={maxZoom}
            step={zoomStep}
            shiftStep={10 * zoomStep}
            value={zoomOf(picture, crop)}
            getAriaValueText={(zoom) => `${Math.round(zoom * 100)} %`}
            onChange={(_, zoom) => typeof zoom === 'number' && setCrop(zoomed(picture, crop, zoom))}
          />
        </Stack>
      </Stack>
    </ActionDialog>
  );
}

type FrameProps = {
  readonly picture: ImageBitmap;
  readonly crop: Crop;
  readonly onChange: (crop: Crop) => void;
  readonly children: ReactNode;
};

/** The container of the picture, which moves it under the circle. */
function Frame({ picture, crop, onChange, children }: FrameProps) {
  const { t } = useTranslation('identity');
  const help = useId();
  const held = useRef({ x: 0, y: 0 });
  const hold = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { x: event.clientX, y: event.clientY };
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const {
      clientX,
      clientY,
      currentTarget: { clientWidth },
    } = event;
    // The picture follows the pointer, so the crop moves in the opposite direction.
    onChange(
      moved(
        picture,
        crop,
        (held.current.x - clientX) / clientWidth,
        (held.current.y - clientY) / clientWidth,
      ),
    );
    held.current = { x: clientX, y: clientY };
  };
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (!arrow) return;
    event.preventDefault();
    onChange(moved(picture, crop, ...arrow));
  };
  return (
    <>
      <Box
        role="application"
        tabIndex={0}
        aria-label={t('identity.picture_cut_area')}
        aria-describedby={help}
        onPointerDown={hold}
        onPointerMove={drag}
        onKeyDown={press}
        sx={{
          position: 'relative',
          width: shownPixels,
          maxWidth: '100%',
          aspectRatio: '1',
          overflow: 'hidden',
          borderRadius: '5px',
          cursor: 'grab',
          touchAction: 'none',
          userSelect: 'none',
          '&:active': { cursor: 'grabbing' },
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '2px' },
        }}
      >
        {children}
        <Box
          aria-hidden
          sx={{
            position: 'absolute',
            inset: 0,
            borderRadius: '50%',
            border: '2px solid #fff',
            boxShadow: `0 0 0 ${shownPixels}px rgb(0 0 0 / 55%)`,
            pointerEvents: 'none',
          }}
        />
      </Box>
      <Typography id={help} variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
        {t('identity.picture_cut_help')}
      </Typography>
    </>
  );
}

/** Draws the crop; transparent parts become white. */
function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, { x, y, side }: Crop): void {
  const context = canvas?.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, cutPixels, cutPixels);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x - side / 2, y - side / 2, side, side, 0, 0, cutPixels, cutPixels);
}
