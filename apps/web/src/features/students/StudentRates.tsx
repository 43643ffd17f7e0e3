import { findRateOn, RATE_UNIT_LABELS, type Rate } from '@lessonbook/contract/rates';
import type { Student } from '@lessonbook/contract/students';
import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, startTransition, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { formatAmount } from '../../lib/format.ts';
import { ratesQuery } from '../rates/api.ts';
import classes from './StudentOverviewSections.module.css';
import { formatDayMonth } from './student-format.ts';

const RateDialog = lazy(async () => ({
  default: (await import('../rates/shared/RateDialog.tsx')).RateDialog,
}));

interface Props {
  student: Student;
  today: string;
}

/** What the student pays for each subject, now and from later dates. */
export function StudentRates({ student, today }: Props) {
  const rates = useQuery(ratesQuery);
  const [opened, setOpened] = useState(false);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selected, setSelected] = useState<Rate | null>(null);
  const shown = rates.data && currentAndFutureRates(rates.data, student.id, today);

  function open(rate: Rate | null) {
    startTransition(() => {
      setSelected(rate);
      setOpened(true);
    });
  }

  return (
    <section className={classes.rates} aria-label="Rates">
      <h3>Rates</h3>
      {rates.isPending && <RowSkeleton rows={1} />}
      {rates.isError && !rates.data && (
        <LoadError onRetry={() => void rates.refetch()}>We couldn't load the rates.</LoadError>
      )}
      {shown?.length === 0 && (
        <p>No rates yet. Lessons use the subject's default fee unless you enter another one.</p>
      )}
      {shown && shown.length > 0 && (
        <ul className={classes.people}>
          {shown.map((rate) => (
            <li key={rate.id}>
              <p>
                <b>{rate.subjectName}</b>
                <small>
                  {rate.validFrom > today ? 'From' : 'Since'}{' '}
                  {formatDayMonth(rate.validFrom, today)}
                </small>
              </p>
              <span className={classes.rate}>
                {formatAmount(rate.amount, rate.currency)} {RATE_UNIT_LABELS[rate.unit]}
              </span>
              <ActionIcon
                variant="subtle"
                size={44}
                aria-label={`Change the rate for ${rate.subjectName} from ${formatDayMonth(rate.validFrom, today)}`}
                onClick={() => open(rate)}
              >
                <IconPencil size={20} stroke={1.8} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={18} stroke={1.8} />}
          onClick={() => open(null)}
        >
          Add rate
        </Button>
      )}
      <LazyMount opened={opened}>
        <RateDialog
          rate={selected}
          student={student}
          today={today}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      </LazyMount>
    </section>
  );
}

/** Rates that a later one has replaced are left out. */
const currentAndFutureRates = (rates: readonly Rate[], studentId: number, today: string): Rate[] =>
  rates.filter(
    (rate) =>
      rate.studentId === studentId &&
      (rate.validFrom > today ||
        rate === findRateOn(rates, { studentId, subjectId: rate.subjectId, date: today })),
  );
