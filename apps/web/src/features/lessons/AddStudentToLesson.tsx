import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { CreatableSelect } from '../../components/CreatableSelect.tsx';
import type { LessonFormState, LessonFormValues } from './shared/lesson-form.ts';

export interface StudentOption {
  id: number;
  name: string;
  schoolYear?: string | null;
}

export interface SeatFieldsProps {
  form: LessonFormState;
  students: readonly StudentOption[];
  onAdd: (name: string, onAdded: (student: { id: number }) => void) => void;
  isAdding: boolean;
}

/** The button below the student. A second student turns the lesson into a group. */
export function AddSecondStudentButton({ form, students, onAdd, isAdding }: SeatFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { studentId } = form.values;
  if (studentId === '') return null;
  if (!isOpen) {
    return (
      <Button
        variant="subtle"
        leftSection={<IconPlus size={18} stroke={1.8} />}
        justify="flex-start"
        onClick={() => setIsOpen(true)}
      >
        Add another student
      </Button>
    );
  }
  const select = (id: string) => form.change(withStudent(form.form.getValues(), id));
  return (
    <AddStudentSelect
      students={students}
      chosenIds={[studentId]}
      onSelect={select}
      onAdd={onAdd}
      isAdding={isAdding}
      initialFocus
    />
  );
}

interface AddStudentSelectProps extends Omit<SeatFieldsProps, 'form'> {
  chosenIds: readonly string[];
  onSelect: (id: string) => void;
  error?: ReactNode;
  initialFocus?: boolean;
}

export function AddStudentSelect(props: AddStudentSelectProps) {
  const { students, chosenIds, onSelect, onAdd, isAdding, error } = props;
  return (
    <CreatableSelect
      label="Add a student"
      placeholder="Choose a student"
      isRequired={false}
      options={students
        .filter(({ id }) => !chosenIds.includes(String(id)))
        .map(({ id, name }) => ({ value: String(id), label: name }))}
      value=""
      onChange={(id) => id && onSelect(id)}
      onAdd={(name) => onAdd(name, ({ id }) => onSelect(String(id)))}
      isAdding={isAdding}
      error={error}
      initialFocus={props.initialFocus ?? false}
      path="otherStudentIds"
    />
  );
}

type Students = Pick<LessonFormValues, 'studentId' | 'otherStudentIds' | 'ownFees'>;

export function withStudent({ studentId, otherStudentIds }: Students, id: string) {
  if (studentId === '') return { studentId: id };
  return { otherStudentIds: [...otherStudentIds, id] };
}
