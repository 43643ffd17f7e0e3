import { BusinessSettings } from '@lessonbook/contract/business-settings';
import { Textarea, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { FieldPair, FieldSection } from '../../components/FieldLayout.tsx';
import { Form } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { useSaveBusiness } from './api.ts';

/** The field values as text, in the order they appear on the page. */
const toFormValues = (business: BusinessSettings) => ({
  tradingName: business.tradingName ?? '',
  address: business.address ?? '',
  email: business.email ?? '',
  phone: business.phone ?? '',
  extra: business.extra ?? '',
  accountName: business.accountName ?? '',
  sortCode: business.sortCode ?? '',
  accountNumber: business.accountNumber ?? '',
  iban: business.iban ?? '',
  bic: business.bic ?? '',
  paymentInstructions: business.paymentInstructions ?? '',
  dueDays: String(business.dueDays),
  invoicePrefix: business.invoicePrefix,
  nextInvoiceNumber: String(business.nextInvoiceNumber),
  invoiceNote: business.invoiceNote ?? '',
});

type BusinessFormValues = ReturnType<typeof toFormValues>;

const toInput = (form: BusinessFormValues): BusinessSettings => ({
  ...form,
  dueDays: parseNumber(form.dueDays),
  nextInvoiceNumber: parseNumber(form.nextInvoiceNumber),
});

/** Empty text is NaN, not zero. */
const parseNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Validates the text with the contract's schema. */
const BusinessFormSchema = z.pipe(
  z.transform<BusinessFormValues, BusinessSettings>(toInput),
  BusinessSettings,
);

export function BusinessSettingsForm({ business }: { business: BusinessSettings }) {
  const save = useSaveBusiness();
  const initialValues = toFormValues(business);
  const businessForm = useForm({ schema: BusinessFormSchema, initialValues });
  useRefreshUnchangedFields(businessForm, initialValues);
  const { form, onSubmit, replace } = businessForm;
  const getFieldProps = (name: keyof BusinessFormValues) => ({
    autoComplete: 'off',
    ...form.getInputProps(name),
  });

  return (
    <Form
      // The server formats the bank details.
      onSubmit={onSubmit(
        (values) => save.mutateAsync(toInput(values)),
        (saved) => replace(toFormValues(saved)),
      )}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      isBusy={save.isPending}
    >
      <FieldSection heading="On invoices">
        <TextInput
          label="Trading name"
          description="If blank, we use your name"
          key={form.key('tradingName')}
          {...getFieldProps('tradingName')}
        />
        <Textarea
          label="Address"
          size="md"
          rows={3}
          key={form.key('address')}
          {...getFieldProps('address')}
        />
        <FieldPair>
          <TextInput
            label="Email"
            type="email"
            key={form.key('email')}
            {...getFieldProps('email')}
          />
          <TextInput label="Phone" type="tel" key={form.key('phone')} {...getFieldProps('phone')} />
        </FieldPair>
        <TextInput
          label="Extra line"
          placeholder="E.g. a tax or company number"
          key={form.key('extra')}
          {...getFieldProps('extra')}
        />
      </FieldSection>
      <FieldSection heading="Bank details">
        <TextInput
          label="Account name"
          key={form.key('accountName')}
          {...getFieldProps('accountName')}
        />
        <FieldPair>
          <TextInput
            label="Sort code"
            inputMode="numeric"
            placeholder="00-00-00"
            key={form.key('sortCode')}
            {...getFieldProps('sortCode')}
          />
          <TextInput
            label="Account number"
            inputMode="numeric"
            key={form.key('accountNumber')}
            {...getFieldProps('accountNumber')}
          />
        </FieldPair>
        <FieldPair>
          <TextInput label="IBAN" key={form.key('iban')} {...getFieldProps('iban')} />
          <TextInput label="BIC" key={form.key('bic')} {...getFieldProps('bic')} />
        </FieldPair>
        <TextInput
          label="Other ways to pay"
          description="Shown to families on the payment page"
          placeholder="E.g. In cash at the lesson"
          key={form.key('paymentInstructions')}
          {...getFieldProps('paymentInstructions')}
        />
      </FieldSection>
      <FieldSection heading="Payment terms and invoice numbers">
        <TextInput
          label="Days until due"
          description="Counted from the day an invoice is issued"
          inputMode="numeric"
          key={form.key('dueDays')}
          {...getFieldProps('dueDays')}
        />
        <FieldPair alwaysSideBySide>
          <TextInput
            label="Prefix"
            placeholder="E.g. INV-"
            key={form.key('invoicePrefix')}
            {...getFieldProps('invoicePrefix')}
          />
          <TextInput
            label="Next number"
            inputMode="numeric"
            key={form.key('nextInvoiceNumber')}
            {...getFieldProps('nextInvoiceNumber')}
          />
        </FieldPair>
        <Textarea
          label="Note"
          description="Shown at the bottom of every invoice"
          size="md"
          rows={3}
          key={form.key('invoiceNote')}
          {...getFieldProps('invoiceNote')}
        />
      </FieldSection>
    </Form>
  );
}
