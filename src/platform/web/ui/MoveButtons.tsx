// The buttons that open the import and export dialogs of a list.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import FileUploadOutlined from '~icons/ic/outline-file-upload';
import Button from '@mui/material/Button';

export type MoveButtonsProps = {
  readonly imports: string;
  readonly exports: string;
  readonly onClick: (what: 'import' | 'export') => void;
};

export function MoveButtons({ imports, exports, onClick }: MoveButtonsProps) {
  const look = { 'aria-haspopup': 'dialog', variant: 'outlined' } as const;
  return (
    <>
      <Button {...look} startIcon={<FileUploadOutlined />} onClick={() => onClick('import')}>
        {imports}
      </Button>
      <Button {...look} startIcon={<FileDownloadOutlined />} onClick={() => onClick('export')}>
        {exports}
      </Button>
    </>
  );
}
