// The form fields.
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import * as z from 'zod/mini';
import { day, month as monthShape, text } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DateRange } from '#platform/web/ui/DateRange.tsx';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import samples from './gallery-samples.json';

const schema = z.strictObject({
  name: text(20),
  amount: z.string().check(z.regex(/^\d+$/)),
  password: text(40, 12),
  currency: z.string(),
  agree: z.literal(true),
});

export function GalleryForm() {
  const form = useZodForm(schema, {
    name: '',
    amount: '',
    password: '',
    currency: 'TWD',
    agree: false as unknown as true,
  });
  const [file, setFile] = useState<File | null>(null);
  const [month, setMonth] = useState(monthShape.parse('2026-10'));
  const [range, setRange] = useState({ from: day.parse('2026-08-01'), to: day.parse('2026-10-31') });
  return (
    <Section title={samples.form}>
      <Stack sx={{ gap: 3 }}>
        <Form form={form} onSubmit={async () => void toast.success(samples.saved)} label={samples.form}>
          <TextField form={form} name="name" label={samples.name} required />
          <MoneyField form={form} name="amount" label={samples.amount} sign="NT$" required />
          <PasswordField
            form={form}
            name="password"
            label={samples.password}
            autoComplete="new-password"
            measured
            required
          />
          <SelectField
            form={form}
            name="currency"
            label={samples.currency}
            options={['TWD', 'USD'].map((value) => ({ value, label: value }))}
          />
          <CheckField form={form} name="agree" label={samples.agree} />
          <SubmitButton form={form}>{samples.primary}</SubmitButton>
        </Form>
        <MonthPicker value={month} onChange={setMonth} max={monthShape.parse('2026-11')} />
        <DateRange value={range} onApply={setRange} today={day.parse('2026-11-20')} />
        <FileDrop
          label={samples.file}
          endings={['.json']}
          maxBytes={100_000}
          file={file}
          onChange={setFile}
        />
      </Stack>
    </Section>
  );
}
