import { ContactInput } from '@lessonbook/contract/student-contacts-and-payers';
import type { Contact, ContactAccess, Student } from '@lessonbook/contract/students';
import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { FieldPair, FieldSection } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { toastSuccess } from '../../lib/toast.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { carersQuery, useAddContact, useRemoveContact, useUpdateContact } from './api.ts';

interface Props {
  student: Student;
  /** Null for a new contact. */
  contact: Contact | null;
  opened: boolean;
  onClose: () => void;
}

export function ContactDialog({ opened, ...props }: Props) {
  const { contact, onClose } = props;
  return (
    <Dialog title={contact ? 'Edit contact' : 'Add contact'} opened={opened} onClose={onClose}>
      <ContactForm {...props} />
    </Dialog>
  );
}

interface FormValues {
  /** An existing contact of another student, or '' for a new one. */
  contactId: string;
  name: string;
  relationship: string;
  phone: string;
  email: string;
  timeZone: string | null;
  access: ContactAccess;
}

const NO_ACCESS: ContactAccess = {
  seesLessons: false,
  seesPlace: false,
  seesNotes: false,
  seesMoney: false,
  mayCancel: false,
  mayRequestMoves: false,
};

const toFormValues = (contact: Contact | null): FormValues => ({
  contactId: '',
  name: contact?.name ?? '',
  relationship: contact?.relationship ?? '',
  phone: contact?.phone ?? '',
  email: contact?.email ?? '',
  timeZone: contact?.timeZone ?? null,
  access: contact?.access ?? NO_ACCESS,
});

const ACCESS_FIELDS: { key: keyof ContactAccess; label: string; hint?: string }[] = [
  { key: 'seesLessons', label: 'Lessons' },
  { key: 'seesPlace', label: 'Locations' },
  { key: 'seesNotes', label: 'Notes and homework' },
  { key: 'seesMoney', label: 'Prices' },
  {
    key: 'mayCancel',
    label: 'Cancel lessons',
    hint: 'They see what cancelling costs. If it costs something, only the person who pays can cancel.',
  },
  { key: 'mayRequestMoves', label: 'Ask to move lessons' },
];

/** A person who cannot see lessons cannot cancel or move them. */
function changeAccess(
  access: ContactAccess,
  key: keyof ContactAccess,
  checked: boolean,
): ContactAccess {
  const changed = { ...access, [key]: checked };
  const { mayCancel, mayRequestMoves } = changed;
  if (key === 'seesLessons')
    return checked ? changed : { ...changed, mayCancel: false, mayRequestMoves: false };
  return { ...changed, seesLessons: changed.seesLessons || mayCancel || mayRequestMoves };
}

function ContactForm({ student, contact, onClose }: Omit<Props, 'opened'>) {
  const initialValues = toFormValues(contact);
  const contactForm = useForm<FormValues>({
    schema: ContactInput,
    initialValues,
    mode: 'controlled',
  });
  useRefreshUnchangedFields(contactForm, initialValues);
  const { values, errors, change, onSubmit, keyFor } = contactForm;
  const save = useSaveContact(student, contact);
  const isExistingContact = values.contactId !== '';
  const field = (name: 'name' | 'relationship' | 'phone' | 'email') => ({
    value: values[name],
    error: errors[name],
    disabled: isExistingContact || contact?.isStudent === true,
    autoComplete: 'off',
    'data-path': name,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      change({ [name]: event.currentTarget.value }),
  });
  return (
    <DialogForm
      onSubmit={onSubmit(
        (input) => save.run(input, keyFor(input)),
        () => {
          toastSuccess('Contact saved');
          onClose();
        },
      )}
      onCancel={onClose}
      submitLabel={contact ? 'Save contact' : 'Add contact'}
      isBusy={save.isPending}
      secondaryAction={
        contact && <RemoveButton student={student} contact={contact} onRemoved={onClose} />
      }
    >
      {!contact && (
        <OtherContactSelect student={student} value={values.contactId} onChange={change} />
      )}
      <FieldPair>
        <TextInput label="Name" withAsterisk data-autofocus {...field('name')} />
        <TextInput
          label="Relationship"
          placeholder="E.g. Parent, Guardian"
          {...field('relationship')}
        />
      </FieldPair>
      <FieldPair>
        <TextInput label="Phone" type="tel" {...field('phone')} />
        <TextInput label="Email" type="email" {...field('email')} />
      </FieldPair>
      <FieldSection heading="Access to the family portal">
        {contact?.isMain ? (
          <p>
            The main contact can see lessons, locations, notes and prices, cancel lessons and ask to
            move them.
          </p>
        ) : (
          ACCESS_FIELDS.map(({ key, ...option }) => (
            <CheckboxField
              key={key}
              {...option}
              checked={values.access[key]}
              onChange={(checked) => change({ access: changeAccess(values.access, key, checked) })}
            />
          ))
        )}
      </FieldSection>
    </DialogForm>
  );
}

/** Offers the carers of other students, so that a shared contact is not entered twice. */
function OtherContactSelect({
  student,
  value,
  onChange,
}: {
  student: Student;
  value: string;
  onChange: (values: Partial<FormValues>) => void;
}) {
  const { data: carers = [] } = useQuery(carersQuery);
  const others = carers.filter(({ id }) => student.contacts.every((each) => each.id !== id));
  if (others.length === 0) return null;
  return (
    <Select
      label="Contact"
      data={[
        { value: '', label: 'New contact' },
        ...others.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      searchable
      value={value}
      onChange={(chosen) => {
        const carer = others.find(({ id }) => String(id) === chosen);
        onChange({
          contactId: chosen ?? '',
          name: carer?.name ?? '',
          relationship: carer?.relationship ?? '',
          phone: carer?.phone ?? '',
          email: carer?.email ?? '',
        });
      }}
    />
  );
}

/** A new contact has no access, so a second request saves the chosen access. */
function useSaveContact(student: Student, contact: Contact | null) {
  const add = useAddContact();
  const update = useUpdateContact();

  async function addContact({ contactId, ...input }: FormValues, idempotencyKey: string) {
    const { contacts } = await add.mutateAsync({
      params: { id: student.id },
      body: contactId === '' ? input : { contactId: Number(contactId) },
      idempotencyKey,
    });
    const known = new Set(student.contacts.map(({ id }) => id));
    return contacts.find(({ id }) => !known.has(id));
  }

  async function run(values: FormValues, idempotencyKey: string) {
    const saved = contact ?? (await addContact(values, idempotencyKey));
    const { contactId, ...input } = values;
    if (!saved) return;
    const { name, relationship, phone, email, timeZone } = contactId === '' ? input : saved;
    await update.mutateAsync({
      params: { id: student.id, contactId: saved.id },
      body: { name, relationship, phone, email, timeZone, access: values.access },
    });
  }

  return { run, isPending: add.isPending || update.isPending };
}

/** The main contact and the payers cannot be removed. */
function RemoveButton({
  student,
  contact,
  onRemoved,
}: {
  student: Student;
  contact: Contact;
  onRemoved: () => void;
}) {
  const remove = useRemoveContact();
  const isPayer = student.payers.some(({ contactId }) => contactId === contact.id);
  if (contact.isMain || isPayer) return null;
  return (
    <Button
      variant="subtle"
      color="red"
      disabled={remove.isPending}
      onClick={() =>
        remove.mutate(
          { params: { id: student.id, contactId: contact.id } },
          { onSuccess: onRemoved },
        )
      }
    >
      Remove contact
    </Button>
  );
}
