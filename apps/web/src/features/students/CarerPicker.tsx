import type { Carer, Student } from '@lessonbook/contract/students';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatList } from '../../lib/format.ts';
import { carersQuery } from './api.ts';
import classes from './CarerPicker.module.css';

interface Props {
  student: Student | null;
  carerId: number | null;
  onPick: (carer: Carer | null) => void;
}

const NEW_CARER = 'new';

/** Lets siblings share a carer, so that the family has a single account. Hidden if there are no carers. */
export function CarerPicker({ student, carerId, onPick }: Props) {
  const { data: carers = [] } = useQuery(carersQuery);
  if (carers.length === 0) return null;
  const pickedCarer = carers.find((carer) => carer.id === carerId);
  const others = pickedCarer ? otherStudents(pickedCarer, student) : [];

  return (
    <div>
      <Select
        label="Carer"
        data={[
          { value: NEW_CARER, label: 'New carer' },
          ...carers.map((carer) => ({ value: String(carer.id), label: carer.name })),
        ]}
        renderOption={({ option }) => <CarerOption {...option} carers={carers} />}
        searchable
        // Without this, Enter would submit the form instead of picking the highlighted carer.
        selectFirstOptionOnChange
        selectFirstOptionOnDropdownOpen
        nothingFoundMessage="No carer found"
        value={carerId === null ? NEW_CARER : String(carerId)}
        onChange={(value) => onPick(carers.find((carer) => String(carer.id) === value) ?? null)}
      />
      <p className={classes.shared} role="status">
        {others.length > 0 &&
          `Also the carer of ${formatList(others)}. Changes here apply to all of them.`}
      </p>
    </div>
  );
}

/** Shows the carer's students, because two carers may share a name. */
function CarerOption({ value, label, carers }: { value: string; label: string; carers: Carer[] }) {
  const students = carers.find((carer) => String(carer.id) === value)?.students;
  return (
    <span>
      {label}
      {students && <small className={classes.students}>{formatList(students)}</small>}
    </span>
  );
}

/** Leaves out the name of this dialog's student, but only once, because a sibling may have the same name. */
function otherStudents(carer: Carer, student: Student | null): string[] {
  if (student?.carerId !== carer.id) return carer.students;
  const ownIndex = carer.students.indexOf(student.name);
  return carer.students.filter((_, index) => index !== ownIndex);
}
