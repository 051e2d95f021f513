// The TXT record that verifies a domain, with copy buttons, and the button that looks it up.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { FormError } from '../form/FormError.tsx';
import { Facts } from './Facts.tsx';
import { Secret } from './Secret.tsx';

/**
 * `words`: the lead, the labels of name and value, and the button's label. `named`: the names of the copy
 * buttons and of the button where a page shows several records. `onVerify`: omitted for read-only users.
 */
export function DnsRecord({
  record,
  words,
  named = words,
  problem,
  isBusy,
  onVerify,
}: {
  readonly record: { readonly name: string; readonly value: string };
  readonly words: Readonly<Record<'lead' | 'name' | 'value' | 'verify', string>>;
  readonly named?: Readonly<Record<'name' | 'value' | 'verify', string>>;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly onVerify?: (() => void) | undefined;
}) {
  return (
    <Stack sx={{ gap: 1, marginTop: 1 }}>
      <Typography variant="body2">{words.lead}</Typography>
      <Facts
        wide
        items={[
          [words.name, <Secret key="name" text={record.name} label={named.name} />],
          [words.value, <Secret key="value" text={record.value} label={named.value} />],
        ]}
      />
      <FormError sentence={problem} />
      {onVerify && (
        <Box>
          <Button variant="outlined" loading={isBusy} onClick={onVerify} aria-label={named.verify}>
            {words.verify}
          </Button>
        </Box>
      )}
    </Stack>
  );
}
