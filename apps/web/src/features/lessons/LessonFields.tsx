import { matchStudentSubjects } from '@lessonbook/contract/match-student-subjects';
import { Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { CreatableSelect } from '../../components/CreatableSelect.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { formatPickerDate } from '../../lib/format.ts';
import { studentsQuery, useCreateStudent } from '../students/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { AddSecondStudentButton } from './AddStudentToLesson.tsx';
import { LessonFeeFields } from './LessonFeeFields.tsx';
import classes from './LessonFields.module.css';
import { NewSubjectFields } from './NewSubjectFields.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { RecurrenceFields } from './RecurrenceFields.tsx';
import {
  withDate,
  withDefaultFee,
  withDefaultTitle,
  withEndTime,
  withStartTime,
} from './shared/dependent-fields.ts';
import type { LessonFormState } from './shared/lesson-form.ts';

/** Most lessons have one student. */
const loadGroup = () => import('./GroupLessonFields.tsx');
const SeatFields = lazy(async () => ({ default: (await loadGroup()).SeatFields }));
const GroupFields = lazy(async () => ({ default: (await loadGroup()).GroupFields }));

interface NamedOption {
  id: number;
  name: string;
  /** Set only for subjects. */
  defaultFee?: number;
  currency?: string;
  /** Set only for students. */
  subject?: string | null;
  subjectIds?: number[];
  schoolYear?: string | null;
}

interface Props {
  form: LessonFormState;
  today: string;
  isNew?: boolean;
  /** The lesson's current student and subject; they may have been deleted since. */
  student?: NamedOption;
  subject?: NamedOption;
  /** The students of a saved lesson, who join and leave one by one. */
  roster?: ReactNode;
}

export function LessonFields({ form, today, isNew = false, student, subject, roster }: Props) {
  const { values, errors, change } = form;
  const isGroup = values.otherStudentIds.length > 0;
  return (
    <>
      <StudentAndSubjectFields
        form={form}
        isNew={isNew}
        student={student}
        subject={subject}
        roster={roster}
      />
      {isGroup ? (
        <Suspense fallback={null}>
          <GroupFields form={form} />
        </Suspense>
      ) : (
        <TextInput
          label="Lesson Title"
          placeholder="E.g. Math Tutoring"
          withAsterisk
          value={values.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          error={errors.title}
          data-path="title"
        />
      )}
      <div className={classes.dateAndTimes}>
        <DateField
          label="Date"
          placeholder="Pick a date"
          format={formatPickerDate}
          clearable
          today={today}
          value={values.date}
          onChange={(date) => change(withDate(values, date))}
          required
          error={errors.date}
          path="date"
        />
        <TimeField
          label="Start"
          value={values.startTime}
          onChange={(time) => change(withStartTime(values, time))}
          required
          error={errors.startTime}
          path="startTime"
        />
        <TimeField
          label="End"
          value={values.endTime}
          onChange={(endTime) => change(withEndTime(values, endTime))}
          from={values.startTime}
          required
          error={errors.endTime}
          path="endTime"
        />
      </div>
      <LessonFeeFields form={form} isNew={isNew} isGroup={isGroup} />
      <PlaceFields form={form} isGroup={isGroup} />
      <RecurrenceFields form={form} today={today} isNew={isNew} />
      <Textarea
        label="Notes"
        placeholder="Enter any notes about this lesson"
        size="md"
        rows={3}
        value={values.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
        error={errors.notes}
        data-path="notes"
      />
    </>
  );
}

type StudentAndSubjectProps = Pick<Props, 'form' | 'isNew' | 'roster'> & {
  student: NamedOption | undefined;
  subject: NamedOption | undefined;
};

/** Students and subjects can be created here, so that a new tutor does not have to leave the dialog. */
function StudentAndSubjectFields({
  form,
  isNew = false,
  student,
  subject,
  roster,
}: StudentAndSubjectProps) {
  const { values, errors, change } = form;
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const addStudent = useCreateStudent();
  const [newSubject, setNewSubject] = useState<string | null>(null);
  const allStudents = withCurrent(students.data ?? [], student);
  const allSubjects = withCurrent(subjects.data ?? [], subject);
  const selectedStudent = findById(allStudents, values.studentId);
  const selectedSubject = findById(allSubjects, values.subjectId);

  const isGroup = values.otherStudentIds.length > 0;
  useDefaultTitle(form, isGroup, selectedStudent?.name, selectedSubject?.name);

  const { taken, unknown } = matchStudentSubjects(selectedStudent ?? {}, allSubjects);
  useDefaultSubject(form, isNew && taken.length === 1 ? taken[0] : undefined);

  function selectStudent(option: NamedOption | undefined) {
    change({ studentId: option ? String(option.id) : '' });
  }

  function selectSubject(option: NamedOption | undefined) {
    change({
      subjectId: option ? String(option.id) : '',
      // Uses the current values, because the fee may have been typed while the subject was being saved.
      ...(option && withDefaultFee(form.form.getValues(), option, selectedSubject)),
    });
  }

  const seatProps = {
    form,
    students: allStudents,
    isAdding: addStudent.isPending,
    onAdd: (name: string, onAdded: (added: NamedOption) => void) =>
      addStudent.mutate({ name }, { onSuccess: onAdded }),
  };

  if (students.isError || subjects.isError) {
    return (
      <LoadError onRetry={() => void Promise.all([students.refetch(), subjects.refetch()])}>
        We couldn't load your students and subjects.
      </LoadError>
    );
  }
  return (
    <>
      {isGroup && (
        <Suspense fallback={null}>{isNew ? <SeatFields {...seatProps} /> : roster}</Suspense>
      )}
      <FieldPair>
        {!isGroup && (
          <CreatableSelect
            label="Student"
            placeholder="Choose a student"
            options={allStudents.map(toOption)}
            value={values.studentId}
            onChange={(id) => selectStudent(findById(allStudents, id))}
            onAdd={(name) => addStudent.mutate({ name }, { onSuccess: selectStudent })}
            suggestedName={values.newStudentName}
            isAdding={addStudent.isPending}
            error={errors.studentId}
            initialFocus={isNew}
            path="studentId"
          />
        )}
        <CreatableSelect
          label="Subject"
          placeholder="Choose a subject"
          options={allSubjects.map(toOption)}
          value={values.subjectId}
          onChange={(id) => selectSubject(findById(allSubjects, id))}
          onAdd={setNewSubject}
          suggestedName={unknown[0]}
          isAdding={newSubject !== null}
          error={errors.subjectId}
          path="subjectId"
        />
      </FieldPair>
      {!isGroup && (isNew ? <AddSecondStudentButton {...seatProps} /> : roster)}
      {newSubject !== null && (
        <NewSubjectFields
          name={newSubject}
          lesson={values}
          onAdded={(added) => {
            setNewSubject(null);
            selectSubject(added);
          }}
          onCancel={() => setNewSubject(null)}
        />
      )}
    </>
  );
}

/**
 * Depends on the names, not on the selection: student and subject may be created at the same time, and either request may
 * finish last.
 */
function useDefaultTitle(
  form: LessonFormState,
  isGroup: boolean,
  student?: string,
  subject?: string,
): void {
  const fill = useEffectEvent((...names: [string | undefined, string | undefined, boolean]) =>
    form.fillIn(withDefaultTitle(form.values, ...names)),
  );
  useEffect(() => fill(student, subject, isGroup), [student, subject, isGroup]);
}

/** Selects the subject that the student takes, unless one has been selected already. */
function useDefaultSubject(form: LessonFormState, subject: NamedOption | undefined): void {
  const fill = useEffectEvent(() => {
    if (!subject || form.values.subjectId !== '') return;
    form.fillIn({ subjectId: String(subject.id), ...withDefaultFee(form.values, subject) });
  });
  const id = subject?.id;
  useEffect(() => {
    if (id !== undefined) fill();
  }, [id]);
}

const toOption = ({ id, name }: NamedOption) => ({ value: String(id), label: name });

const findById = <T extends NamedOption>(list: readonly T[], id: string): T | undefined =>
  list.find((option) => String(option.id) === id);

const withCurrent = (
  list: readonly NamedOption[],
  current: NamedOption | undefined,
): readonly NamedOption[] =>
  current && !list.some(({ id }) => id === current.id) ? [current, ...list] : list;
