import type { Ref } from 'react';

/**
 * The browser's file picker without a look of its own: a button opens it with `ref.current.click()`. `accept`
 * are media types or file name extensions.
 */
export function FileInput({
  label,
  accept,
  onFile,
  ref,
}: {
  readonly label: string;
  readonly accept: readonly string[];
  readonly onFile: (file: File) => void;
  readonly ref: Ref<HTMLInputElement>;
}) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept.join(',')}
      aria-label={label}
      tabIndex={-1}
      hidden
      onChange={(event) => {
        const [file] = event.target.files ?? [];
        if (file) onFile(file);
        // Reset, so that the same file can be selected again after it was changed on disk.
        event.target.value = '';
      }}
    />
  );
}
