import { BusinessSettings } from '@lessonbook/contract/business-settings';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { FieldPair } from '../../../components/FieldLayout.tsx';
import { Form } from '../../../components/Form.tsx';
import { useForm } from '../../../lib/use-form.ts';
import { businessQuery, onboardingQuery, useSaveBusiness } from '../api.ts';
import classes from './MissingBankDetailsForm.module.css';

/** Asks for bank details before an invoice that cannot be paid is issued. */
export function MissingBankDetailsForm() {
  const { data: progress } = useQuery(onboardingQuery);
  const { data: business } = useQuery(businessQuery);
  if (!business || !progress || progress.payment) return null;
  return (
    <section className={classes.missing} aria-labelledby="missing-bank-details">
      <h3 id="missing-bank-details">Add your bank details</h3>
      <p>
        Your invoices show these, so families know how to pay. For card payments, go to{' '}
        <Link to="/payment-methods">Payment Methods</Link>; for cash or anything else, go to{' '}
        <Link to="/settings/business">Business</Link>.
      </p>
      <BankDetailsForm business={business} />
    </section>
  );
}

const BankFields = z.pick(BusinessSettings, {
  accountName: true,
  sortCode: true,
  accountNumber: true,
});

function BankDetailsForm({ business }: { business: BusinessSettings }) {
  const save = useSaveBusiness();
  const { form, onSubmit } = useForm({
    schema: BankFields,
    initialValues: { accountName: business.accountName ?? '', sortCode: '', accountNumber: '' },
  });
  return (
    <Form
      onSubmit={onSubmit((values) => save.mutateAsync({ ...business, ...values }))}
      submitLabel="Save bank details"
      busyLabel="Saving..."
      isBusy={save.isPending}
    >
      <TextInput
        label="Account name"
        autoComplete="off"
        key={form.key('accountName')}
        {...form.getInputProps('accountName')}
      />
      <FieldPair alwaysSideBySide>
        <TextInput
          label="Sort code"
          inputMode="numeric"
          placeholder="00-00-00"
          autoComplete="off"
          key={form.key('sortCode')}
          {...form.getInputProps('sortCode')}
        />
        <TextInput
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          key={form.key('accountNumber')}
          {...form.getInputProps('accountNumber')}
        />
      </FieldPair>
    </Form>
  );
}
